//! The recipe for a Ray cluster (`runs/ray_mutate.py`) on a local one with two nodes. Skipped, saying
//! so, where `ray` cannot be imported by `$CODEXEC_RAY_PYTHON` (else `python3`).

#![allow(clippy::unwrap_used)] // A test that cannot set up its files may panic.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Two nodes of one core each, so that two shards at a time need both.
const CLUSTER: &str = "
import sys
sys.path.insert(0, sys.argv.pop(1))
from ray.cluster_utils import Cluster
import ray, ray_mutate
cluster = Cluster(initialize_head=True, head_node_args={'num_cpus': 1})
cluster.add_node(num_cpus=1)
ray.init(address=cluster.address, log_to_driver=False)
assert len([n for n in ray.nodes() if n['Alive']]) == 2
code = ray_mutate.main(sys.argv[1:])
ray.shutdown()
cluster.shutdown()
sys.exit(code)
";

fn codes(file: &Path) -> BTreeSet<String> {
    let text = String::from_utf8(zstd::decode_all(fs::File::open(file).unwrap()).unwrap()).unwrap();
    let record = |line| serde_json::from_str::<serde_json::Value>(line).unwrap();
    text.lines()
        .map(|l| record(l)["code"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn two_nodes_build_what_one_machine_builds() {
    let python = std::env::var("CODEXEC_RAY_PYTHON").unwrap_or("python3".to_owned());
    let there = Command::new(&python)
        .args(["-c", "import ray.cluster_utils"])
        .output();
    if !there.is_ok_and(|o| o.status.success()) {
        eprintln!("skipped: {python} cannot import ray (pip install ray)");
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let corpus = place.path().join("corpus.jsonl");
    let lines = (0..40).map(|k| {
        let code = format!("a = {k}\nb = a * 2 + 1\nprint(a + b, 'n{k}')\n");
        format!(
            "{}\n",
            serde_json::json!({"id": k.to_string(), "group": k / 3, "code": code})
        )
    });
    fs::write(&corpus, lines.collect::<String>()).unwrap();
    let program = assert_cmd::cargo::cargo_bin("codexec");
    let (whole, merged) = (
        place.path().join("a.jsonl.zst"),
        place.path().join("b.jsonl.zst"),
    );
    let settings = ["--no-run", "--per-program", "3", "--seed", "4"];
    let built = Command::new(&program)
        .args([
            "mutate".as_ref(),
            corpus.as_os_str(),
            "--out".as_ref(),
            whole.as_os_str(),
        ])
        .args(settings)
        .output()
        .unwrap();
    assert!(built.status.success(), "{built:?}");
    let output = Command::new(&python)
        .args(["-c", CLUSTER])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("runs"))
        .args([corpus.as_os_str(), "--out".as_ref(), merged.as_os_str()])
        .args(["--shards", "4", "--codexec"])
        .arg(&program)
        .arg("--")
        .args(settings)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    assert!(said.contains("built on 2 nodes"), "{said}");
    assert_eq!(codes(&merged), codes(&whole));
}
