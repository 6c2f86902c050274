//! Gradients, a stored network against MXNet's numbers, training, files, errors.

use mixgrad::operator::{apply_to, Params};
use mixgrad::{autograd, ops, DType, Device, Executor, GradReq, KVStore, NDArray, Result, Symbol};
use std::cell::RefCell;
use std::collections::BTreeMap;

fn data(name: &str) -> String {
    format!("{}/../data/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn images(begin: i64, end: i64) -> Result<NDArray> {
    let all = mixgrad::load(&data("digits.params"))?;
    let bytes = all["images"].slice(begin, end)?;
    Ok(&ops::Cast::new().dtype(DType::Float32).call(&bytes)? / 16.0)
}

#[test]
fn arrays_compute() -> Result<()> {
    let x = NDArray::from_slice(&[1f32, 2.0, 3.0, 4.0, 5.0, 6.0], &[2, 3])?;
    assert_eq!((&(&x * 2.0) + 1.0).to_vec::<f32>()?, [3.0, 5.0, 7.0, 9.0, 11.0, 13.0]);
    assert_eq!((1.0 - &x).to_vec::<f32>()?[5], -5.0);
    assert_eq!(ops::Sum::new().call(&x)?.scalar::<f32>()?, 21.0);
    assert_eq!(ops::Sum::new().axis([0]).call(&x)?.to_vec::<f32>()?, [5.0, 7.0, 9.0]);
    let parts = ops::SliceChannel::new().num_outputs(3).axis(1).call(&x)?;
    assert_eq!(parts[2].to_vec::<f32>()?, [3.0, 6.0]);
    assert_eq!(ops::Concat::new().dim(0).call(&[&x, &x])?.shape(), [4, 3]);
    assert_eq!(ops::RandomUniform::new().shape([2, 5]).array()?.size(), 10);
    Ok(())
}

#[test]
fn gradients_flow() -> Result<()> {
    let x = NDArray::from_slice(&[0.5f32, -1.0, 2.0], &[3])?;
    x.attach_grad()?;
    let y = {
        let _recorded = autograd::record()?;
        ops::Sum::new().call(&(&ops::Exp::new().call(&x)? * &x))?
    };
    y.backward()?;
    let gradient = x.grad()?.expect("x is a variable").to_vec::<f32>()?;
    for (value, found) in x.to_vec::<f32>()?.iter().zip(gradient) {
        assert!((found - value.exp() * (value + 1.0)).abs() < 1e-5);
    }
    assert!(x.detach()?.grad()?.is_none());
    Ok(())
}

#[test]
fn errors_name_what_is_wrong() -> Result<()> {
    let (a, b) = (NDArray::full(1f32, &[2, 3])?, NDArray::full(1f32, &[4, 5])?);
    let error = ops::BroadcastAdd::new().call(&a, &b).unwrap_err();
    assert_eq!(error.status(), mixgrad::sys::MG_STATUS_SHAPE);
    assert!(error.to_string().contains("(2, 3)") && error.to_string().contains("(4, 5)"));
    assert!(a.to_vec::<f64>().unwrap_err().to_string().contains("float32"));
    assert!(a.copy_from(&[1f32]).is_err());
    assert!(Symbol::load("/nowhere-symbol.json").is_err());
    Ok(())
}

#[test]
fn a_stored_network_gives_mxnets_numbers() -> Result<()> {
    let net = Symbol::load(&data("digits-symbol.json"))?;
    let mut executor =
        Executor::simple_bind(&net, &[("data", &[20, 1, 8, 8])], GradReq::Null, Device::Cpu(0))?;
    executor.copy_params_from(&mixgrad::load(&data("digits-0001.params"))?)?;
    images(1777, 1797)?.copy_to(&executor.arg_dict()?["data"])?;
    executor.forward(false)?;
    let found = executor.outputs()?[0].to_vec::<f32>()?;
    let expected = mixgrad::load(&data("expected.params"))?["probabilities"].to_vec::<f32>()?;
    assert_eq!(found.len(), 200);
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() < 1e-5);
    }
    assert_eq!(Symbol::from_json(&net.to_json()?)?.list_arguments()?, net.list_arguments()?);
    assert!(executor.debug_str()?.contains("conv1"));
    Ok(())
}

#[test]
fn a_network_learns_the_digits() -> Result<()> {
    let net = ops::Flatten::new().call(&Symbol::variable("data")?)?;
    let net = ops::FullyConnected::new().num_hidden(64).name("fc1").call(&net, None, None)?;
    let net = ops::Relu::new().call(&net)?;
    let net = ops::FullyConnected::new().num_hidden(10).name("fc2").call(&net, None, None)?;
    let net = ops::SoftmaxOutput::new().name("softmax").call(&net, None)?;
    let batch = 50i64;
    let shapes: [(&str, &[i64]); 2] = [("data", &[batch, 1, 8, 8]), ("softmax_label", &[batch])];
    let mut executor = Executor::simple_bind(&net, &shapes, GradReq::Write, Device::Cpu(0))?;
    let (arguments, gradients) = (executor.arg_dict()?, executor.grad_dict()?);
    let store = KVStore::new("local")?;
    let mut momenta = BTreeMap::new();
    for name in gradients.keys() {
        let weight = &arguments[name];
        let shape = weight.shape();
        momenta.insert(name.clone(), NDArray::full(0f32, &shape)?);
        if shape.len() == 2 {
            ops::RandomUniform::new().low(-0.1).high(0.1).shape(shape).array()?.copy_to(weight)?;
        }
        store.init(name, weight)?;
    }
    let rate = Params::new().with("lr", 0.1).with("momentum", 0.9).with("rescale_grad", 1.0 / batch as f64);
    let momenta = RefCell::new(momenta);
    store.set_updater(move |key, gradient, weight| {
        apply_to("sgd_mom_update", &[weight, gradient, &momenta.borrow()[key]], &rate, weight)
    })?;
    let x = images(0, 1750)?;
    let labels =
        ops::Cast::new().dtype(DType::Float32).call(&mixgrad::load(&data("digits.params"))?["labels"])?;
    let give = |at: i64| -> Result<()> {
        x.slice(at, at + batch)?.copy_to(&arguments["data"])?;
        labels.slice(at, at + batch)?.copy_to(&arguments["softmax_label"])
    };
    for _ in 0..20 {
        for at in (0..1500).step_by(batch as usize) {
            give(at)?;
            executor.forward(true)?;
            executor.backward(&[])?;
            for (name, gradient) in &gradients {
                store.push(name, &[gradient])?;
                store.pull(name, &[&arguments[name]])?;
            }
        }
    }
    let mut right = 0;
    for at in (1500..1750).step_by(batch as usize) {
        give(at)?;
        executor.forward(false)?;
        let guesses = ops::Argmax::new().axis(1).call(&executor.outputs()?[0])?.to_vec::<f32>()?;
        let truth = labels.slice(at, at + batch)?.to_vec::<f32>()?;
        right += guesses.iter().zip(truth).filter(|(guess, label)| **guess == *label).count();
    }
    assert!(right > 220, "{right} of 250 held-out digits");
    store.set_updater(|_, _, _| panic!("as a test"))?;
    assert!(store.push("fc1_bias", &[&gradients["fc1_bias"]]).is_err());
    Ok(())
}

#[test]
fn files_keep_arrays() -> Result<()> {
    let path = std::env::temp_dir().join(format!("mixgrad-rust-{}.params", std::process::id()));
    let path = path.to_str().expect("the temporary folder has a plain name");
    let mut arrays = BTreeMap::new();
    arrays.insert("a".to_owned(), NDArray::full(3f32, &[2])?);
    arrays.insert("b".to_owned(), NDArray::from_slice(&[4i32, 5], &[1, 2])?);
    mixgrad::save(path, &arrays)?;
    let loaded = mixgrad::load(path)?;
    std::fs::remove_file(path).expect("it was just written");
    assert_eq!(loaded["a"].to_vec::<f32>()?, [3.0, 3.0]);
    assert_eq!(loaded["b"].shape(), [1, 2]);
    Ok(())
}
