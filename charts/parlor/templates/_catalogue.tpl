{{/*
What the chart knows of the system, in three tables that everything else iterates over.
*/}}

{{/*
The services.
  kind     Deployment, or StatefulSet where pods have names of their own
  health   the name under which gRPC health answers for readiness
  calls    services whose address it is given
  secrets  entries of `secrets` in the values that it reads
*/}}
{{- define "parlor.catalogue" -}}
settlement:
  kind: Deployment
  health: parlor.settlement.v1.LedgerService
  calls: [table]
  secrets: [serviceToken, databaseUrl, walletToken]
table:
  kind: StatefulSet
  health: parlor.table.v1.TableService
  calls: [settlement]
  secrets: [serviceToken, redisUrl, dailySecret]
matchmaking:
  kind: Deployment
  health: parlor.matchmaking.v1.MatchmakingService
  calls: [settlement, table]
  secrets: [serviceToken, redisUrl]
gateway:
  kind: Deployment
  health: parlor.gateway.v1.SessionService
  calls: [settlement, table, matchmaking]
  secrets: [serviceToken, redisUrl, tokenSecret, operatorJwks]
{{- end }}

{{/* Their names; whoever is called stands before its callers. */}}
{{- define "parlor.services" -}}
["settlement", "table", "matchmaking", "gateway"]
{{- end }}

{{/*
Who talks to whom. A NetworkPolicy is made of each name in lower case that stands on either side
and is ours; names in capitals are in `networkPolicy.peers`. Nothing else is let through.
*/}}
{{- define "parlor.edges" -}}
- {from: PLAYERS, to: gateway, port: players}
- {from: gateway, to: matchmaking, port: grpc}
- {from: gateway, to: table, port: grpc}
- {from: gateway, to: settlement, port: grpc}
- {from: matchmaking, to: table, port: grpc}
- {from: matchmaking, to: settlement, port: grpc}
- {from: table, to: settlement, port: grpc}
- {from: table, to: table, port: grpc}
- {from: settlement, to: table, port: grpc}
- {from: gateway, to: REDIS}
- {from: matchmaking, to: REDIS}
- {from: table, to: REDIS}
- {from: settlement, to: POSTGRES}
- {from: settlement, to: WALLET}
- {from: migration, to: POSTGRES}
- {from: test, to: gateway, port: players}
- {from: test, to: matchmaking, port: grpc}
- {from: test, to: table, port: grpc}
- {from: test, to: settlement, port: grpc}
- {from: PROMETHEUS, to: gateway, port: admin}
- {from: PROMETHEUS, to: matchmaking, port: admin}
- {from: PROMETHEUS, to: table, port: admin}
- {from: PROMETHEUS, to: settlement, port: admin}
- {from: gateway, to: OTLP}
- {from: matchmaking, to: OTLP}
- {from: table, to: OTLP}
- {from: settlement, to: OTLP}
{{- end }}

{{/*
The secrets: the variable that takes each, and that which takes the one before while it is replaced.
*/}}
{{- define "parlor.secretCatalogue" -}}
serviceToken:
  variable: PARLOR_SERVICE_TOKEN
  previous: PARLOR_SERVICE_TOKEN_PREVIOUS
  required: true
tokenSecret:
  variable: PARLOR_GATEWAY_TOKEN_SECRET
  previous: PARLOR_GATEWAY_TOKEN_SECRET_PREVIOUS
  required: true
databaseUrl:
  variable: PARLOR_SETTLEMENT_DATABASE_URL
  required: true
redisUrl:
  variable: PARLOR_REDIS_URL
  required: true
operatorJwks:
  variable: PARLOR_GATEWAY_OPERATOR_JWKS
walletToken:
  variable: PARLOR_SETTLEMENT_WALLET_TOKEN
dailySecret:
  variable: PARLOR_TABLE_DAILY_SECRET
{{- end }}
