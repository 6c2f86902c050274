//! Names the last twenty digits with a network that Python trained.
//! cargo run --example digits

use mixgrad::{ops, DType, Device, Executor, GradReq, Result, Symbol};

fn main() -> Result<()> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/");
    let digits = mixgrad::load(&format!("{folder}digits.params"))?;
    let (images, labels) = (digits["images"].slice(1777, 1797)?, digits["labels"].slice(1777, 1797)?);
    let pixels = &ops::Cast::new().dtype(DType::Float32).call(&images)? / 16.0;

    let net = Symbol::load(&format!("{folder}digits-symbol.json"))?;
    let shapes: [(&str, &[i64]); 1] = [("data", &[20, 1, 8, 8])];
    let mut executor = Executor::simple_bind(&net, &shapes, GradReq::Null, Device::Cpu(0))?;
    executor.copy_params_from(&mixgrad::load(&format!("{folder}digits-0001.params"))?)?;
    pixels.copy_to(&executor.arg_dict()?["data"])?;
    executor.forward(false)?;

    let guesses = ops::Argmax::new().axis(1).call(&executor.outputs()?[0])?.to_vec::<f32>()?;
    println!("network: {guesses:?}");
    println!("labels:  {:?}", labels.to_vec::<u8>()?);
    Ok(())
}
