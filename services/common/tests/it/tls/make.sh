#!/bin/sh
# Makes the certificates beside it anew: two of one authority for localhost, one of another. They
# are good for a hundred years and for nothing but these tests.
set -eu
cd "$(dirname "$0")"

authority() {
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 36500 \
    -subj "/CN=$1" -addext basicConstraints=critical,CA:TRUE -addext keyUsage=keyCertSign \
    -keyout "$1.key.pem" -out "$1.cert.pem"
}

# certificate NAME AUTHORITY
certificate() {
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$1" \
    -keyout "$1.key.pem" -out request.pem
  printf '%s\n' 'subjectAltName = DNS:localhost' 'extendedKeyUsage = serverAuth, clientAuth' \
    'basicConstraints = critical, CA:FALSE' >extensions
  openssl x509 -req -in request.pem -CA "$2.cert.pem" -CAkey "$2.key.pem" -CAcreateserial \
    -days 36500 -extfile extensions -out "$1.cert.pem"
}

authority ours
authority theirs
certificate first ours
certificate second ours
certificate stranger theirs
# Nobody signs with these again.
rm -f ours.key.pem theirs.key.pem request.pem extensions ./*.srl
