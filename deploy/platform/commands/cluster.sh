#: cluster [TEST…]    the chart, installed on a real Kubernetes with KEDA (tests/cluster)
#:
#: Builds the release's images, has the cluster take them, and installs, tests, floods, upgrades, breaks and removes the
#: chart there, in namespaces of its own. Kafka, MySQL and Redis run on this machine. TEST is what pytest takes, such as
#: tests/cluster/test_rolling.py. Needs kubectl in PATH, and three facts of the environment:
#:
#: KUBECONFIG                 the cluster; all of its users' rights are wanted. Without it nothing is run, and that is said
#: SLUICE_CLUSTER_ADDRESS     the address of this machine that pods reach. Servers listen there, without TLS
#: SLUICE_CLUSTER_LOAD        a command that makes the archives named after it known to the nodes, such as "kind load image-archive";
#:                            empty: they are in SLUICE_CLUSTER_REGISTRY already
#: SLUICE_CLUSTER_REGISTRY    what the images' names begin with (rig.local)
#: SLUICE_CLUSTER_HELM        helm (Helm 4) or helm3
#: SLUICE_CLUSTER_PULLS       the name under which nodes pull images by HTTP from this machine: 127.0.0.1 where they run on it. Without it
#:                            the test of a release is not run
#:
#:   KUBECONFIG=~/.kube/config SLUICE_CLUSTER_ADDRESS=172.18.0.1 SLUICE_CLUSTER_LOAD="kind load image-archive" ./run cluster

not_run() {
    say "NOT RUN: $1"
    exit 3
}

[[ -n ${KUBECONFIG:-} && -n ${SLUICE_CLUSTER_ADDRESS:-} ]] || not_run "KUBECONFIG and SLUICE_CLUSTER_ADDRESS name no cluster (./run cluster --help)"
kubectl=$(type -P kubectl) || not_run "there is no kubectl in PATH"
kubectl get --raw /readyz >/dev/null || not_run "the cluster of KUBECONFIG does not answer"

export SLUICE_CLUSTER_REGISTRY=${SLUICE_CLUSTER_REGISTRY-rig.local}
SLUICE_CLUSTER_TAG=$(sed -n 's/.*const char\* version = "\([0-9.]*\)".*/\1/p' "$SLUICE_TREE/common/version.hpp")
folder="$SLUICE_TREE/build/cluster"
mkdir -p "$folder"
if [[ -n ${SLUICE_CLUSTER_LOAD:-} ]]; then
    attended inside bash "$PLATFORM/build.sh" release sluice-ingress sluice-consumer sluice-poller sluice-command sluicectl || exit
    attended inside python3 -m deploy.images archives --registry "$SLUICE_CLUSTER_REGISTRY" || exit
    # shellcheck disable=SC2086 # a command with its options
    $SLUICE_CLUSTER_LOAD "$SLUICE_TREE"/build/images/*-"$SLUICE_CLUSTER_TAG".tar || fail "the cluster did not take the images"
fi
# Inside the platform neither the home folder nor PATH is the caller's.
kubectl config view --raw --flatten --minify >"$folder/kubeconfig" && chmod 600 "$folder/kubeconfig" || exit
cp --dereference --update "$kubectl" "$folder/kubectl" || exit
export SLUICE_CLUSTER_TAG SLUICE_CLUSTER_KUBECONFIG="$folder/kubeconfig" SLUICE_CLUSTER_KUBECTL="$folder/kubectl"
need_tools || exit
need_servers
[[ $* == *tests/* ]] || set -- "$SLUICE_TREE/tests/cluster" "$@"
inside python3 -m pytest -q "$@"
