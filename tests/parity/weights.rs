//! Files of weights: every layout, from bytes, damaged.

use super::*;

/// A copy of the tiny checkpoint without its weights.
fn without_weights() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for name in [
        "config.json",
        "vocab.json",
        "merges.txt",
        "added_tokens.json",
        "special_tokens_map.json",
    ] {
        std::fs::copy(format!("{TINY}/{name}"), dir.path().join(name)).unwrap();
    }
    dir
}

fn tiny_weights() -> std::collections::HashMap<String, Tensor> {
    candle_core::safetensors::load(format!("{TINY}/model.safetensors"), &Device::Cpu).unwrap()
}

#[test]
fn every_layout_of_the_weights_gives_the_same_network() {
    let want = joint_of_pairs(&open(TINY).model);
    let check = |dir: &tempfile::TempDir, what: &str, tolerance: f32| {
        let got = joint_of_pairs(&open(dir.path().to_str().unwrap()).model);
        let difference = max_difference(&got, &want);
        assert!(difference <= tolerance, "{what}: {difference}");
    };

    let dir = without_weights();
    std::fs::copy(
        format!("{TINY}/pytorch_model.bin"),
        dir.path().join("pytorch_model.bin"),
    )
    .unwrap();
    check(&dir, "pytorch_model.bin", 0.0);

    for prefix in ["roberta.", "encoder.", "model.encoder."] {
        let dir = without_weights();
        let named: std::collections::HashMap<String, Tensor> = tiny_weights()
            .into_iter()
            .map(|(n, t)| (format!("{prefix}{n}"), t))
            .collect();
        candle_core::safetensors::save(&named, dir.path().join("model.safetensors")).unwrap();
        check(&dir, prefix, 0.0);
    }

    let dir = without_weights();
    let (mut map, mut parts) = (serde_json::Map::new(), [vec![], vec![]]);
    for (i, (name, tensor)) in tiny_weights().into_iter().enumerate() {
        map.insert(
            name.clone(),
            format!("model-0000{}-of-00002.safetensors", i % 2 + 1).into(),
        );
        parts[i % 2].push((name, tensor));
    }
    for (i, part) in parts.into_iter().enumerate() {
        let part: std::collections::HashMap<_, _> = part.into_iter().collect();
        let file = dir
            .path()
            .join(format!("model-0000{}-of-00002.safetensors", i + 1));
        candle_core::safetensors::save(&part, file).unwrap();
    }
    let index = serde_json::json!({"metadata": {}, "weight_map": map}).to_string();
    std::fs::write(dir.path().join("model.safetensors.index.json"), index).unwrap();
    check(&dir, "shards", 0.0);

    let dir = without_weights();
    let half: std::collections::HashMap<_, _> = tiny_weights()
        .into_iter()
        .map(|(n, t)| (n, t.to_dtype(DType::F16).unwrap()))
        .collect();
    candle_core::safetensors::save(&half, dir.path().join("model.safetensors")).unwrap();
    check(&dir, "f16", 0.1);
}

#[test]
fn a_checkpoint_opens_from_bytes() {
    let tiny = open(TINY);
    let tokenizer = tiny.tokenizer.to_string(false).unwrap();
    let read = |name: &str| std::fs::read(format!("{TINY}/{name}")).unwrap();
    let (config, weights) = (read("config.json"), read("model.safetensors"));
    let from = |weights: &[u8]| {
        Checkpoint::from_bytes(
            "built-in",
            &config,
            tokenizer.as_bytes(),
            weights,
            &Device::Cpu,
            DType::F32,
        )
    };
    let again = from(&weights).unwrap();
    assert_eq!(joint_of_pairs(&again.model), joint_of_pairs(&tiny.model));
    let text = "<line> <0> <state> s : [ x , 1.5 ] </state>";
    let ids = |c: &Checkpoint| c.tokenizer.encode(text, false).unwrap().get_ids().to_vec();
    assert_eq!(ids(&again), ids(&tiny));
    let message = from(&weights[..5000]).unwrap_err().to_string();
    assert!(
        message.starts_with("built-in: model.safetensors"),
        "{message}"
    );
}

/// What opening a directory complains of.
fn complaint(dir: &tempfile::TempDir) -> String {
    let path = dir.path().to_str().unwrap();
    match Checkpoint::open(path, &Device::Cpu, DType::F32) {
        Ok(_) => "nothing".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn damaged_checkpoints_say_which_file_and_why() {
    let weights = std::fs::read(format!("{TINY}/model.safetensors")).unwrap();
    let pickle = std::fs::read(format!("{TINY}/pytorch_model.bin")).unwrap();
    let with = |name: &str, bytes: &[u8]| {
        let dir = without_weights();
        std::fs::write(dir.path().join("model.safetensors"), &weights).unwrap();
        std::fs::write(dir.path().join(name), bytes).unwrap();
        complaint(&dir)
    };
    let saved = |change: &dyn Fn(&mut std::collections::HashMap<String, Tensor>)| {
        let mut tensors = tiny_weights();
        change(&mut tensors);
        let dir = without_weights();
        candle_core::safetensors::save(&tensors, dir.path().join("model.safetensors")).unwrap();
        complaint(&dir)
    };
    let zeros = Tensor::zeros((3, 32), DType::F32, &Device::Cpu).unwrap();
    let dense = "encoder.layer.1.output.dense.weight";
    let index = r#"{"weight_map": {"a": "../secret.safetensors"}}"#;
    let cases: Vec<(&str, String, &str)> = vec![
        (
            "none",
            complaint(&without_weights()),
            "no model.safetensors or pytorch_model.bin",
        ),
        (
            "cut",
            with("model.safetensors", &weights[..weights.len() / 2]),
            "model.safetensors: ",
        ),
        (
            "empty",
            with("model.safetensors", b""),
            "damaged or incomplete",
        ),
        (
            "huge header",
            with("model.safetensors", &[0xff; 64]),
            "damaged or incomplete",
        ),
        ("missing", saved(&|t| drop(t.remove(dense))), dense),
        (
            "all missing",
            saved(&|t| t.retain(|n, _| n.starts_with("pooler"))),
            "no tensor",
        ),
        (
            "shape",
            saved(&|t| drop(t.insert(dense.into(), zeros.clone()))),
            "[3, 32]",
        ),
        ("config", with("config.json", b"{"), "config.json: EOF"),
        (
            "config field",
            with("config.json", b"{\"vocab_size\": 3}"),
            "hidden_size",
        ),
        ("vocab", with("vocab.json", b"[1, 2]"), "vocab.json"),
        (
            "ids",
            with("vocab.json", b"{\"a\": 1, \"b\": 1}"),
            "same id",
        ),
        ("merges", with("merges.txt", b"x qqq\n"), "vocab.json"),
        (
            "added",
            with("added_tokens.json", b"{\"<x>\": 900}"),
            "the id 900",
        ),
        (
            "tokenizer.json",
            with("tokenizer.json", b"{}"),
            "tokenizer.json",
        ),
    ];
    for (what, message, wanted) in cases {
        assert!(message.contains(wanted), "{what}: {message}");
    }
    let dir = without_weights();
    std::fs::write(dir.path().join("model.safetensors.index.json"), index).unwrap();
    assert!(complaint(&dir).contains("secret"));
    for keep in [0, 10, pickle.len() / 2, pickle.len() - 30] {
        let dir = without_weights();
        std::fs::write(dir.path().join("pytorch_model.bin"), &pickle[..keep]).unwrap();
        assert!(
            complaint(&dir).contains("pytorch_model.bin: not a readable"),
            "{keep}"
        );
    }
    let nowhere = Checkpoint::open("/no/such/dir", &Device::Cpu, DType::F32).unwrap_err();
    assert!(nowhere.to_string().contains("/no/such/dir"));
}

#[test]
fn flipped_bytes_never_panic() {
    for (name, stride) in [
        ("model.safetensors", 97),
        ("pytorch_model.bin", 4001),
        ("vocab.json", 131),
    ] {
        let original = std::fs::read(format!("{TINY}/{name}")).unwrap();
        let dir = without_weights();
        if name == "vocab.json" {
            let weights = format!("{TINY}/model.safetensors");
            std::fs::copy(weights, dir.path().join("model.safetensors")).unwrap();
        }
        // The safetensors header is in the first 4 KB; the rest is numbers.
        let end = original
            .len()
            .min(if stride == 97 { 4096 } else { usize::MAX });
        for at in (0..end).step_by(stride) {
            let mut bytes = original.clone();
            bytes[at] ^= 0x55;
            std::fs::write(dir.path().join(name), bytes).unwrap();
            complaint(&dir);
        }
    }
}
