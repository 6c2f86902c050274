//! Leaves with a code of its own, in the state that its argument names, while work is queued. "states" lists them.

use mixgrad::{ops, Device, KVStore, NDArray};
use std::collections::BTreeMap;
use std::process::{exit, ExitCode};
use std::thread;
use std::time::Duration;

const CODE: u8 = 7;
const SIDE: i64 = 1000;

fn ones() -> NDArray {
    NDArray::full(1f32, &[SIDE, SIDE]).unwrap()
}

fn dot(a: &NDArray, b: &NDArray) -> NDArray {
    ops::Dot::new().call(a, b).unwrap()
}

/// Products that wait for each other.
fn queue(count: usize) -> NDArray {
    let a = ones();
    let mut b = dot(&a, &a);
    for _ in 1..count {
        b = dot(&a, &b);
    }
    b
}

fn leave() -> ! {
    exit(i32::from(CODE))
}

struct Last;
impl Drop for Last {
    fn drop(&mut self) {
        queue(2);
    }
}
thread_local!(static LAST: Last = const { Last });

fn states() -> Vec<(&'static str, u8, fn())> {
    vec![
        ("return", CODE, || drop(queue(12))),
        ("exit", CODE, || {
            let _values = queue(12);
            leave()
        }),
        ("forgotten", CODE, || std::mem::forget(queue(12))),
        ("panic", 101, || {
            std::panic::set_hook(Box::new(|_| {}));
            let _values = queue(12);
            panic!("on the way");
        }),
        ("caught_panic", CODE, || {
            std::panic::set_hook(Box::new(|_| {}));
            let _ = std::panic::catch_unwind(|| {
                let _values = queue(12);
                panic!("on the way");
            });
        }),
        ("exit_in_new_thread", CODE, || {
            let _values = queue(12);
            thread::spawn(|| leave());
            thread::sleep(Duration::from_secs(20));
        }),
        ("exit_in_pushing_thread", CODE, || {
            thread::spawn(|| {
                let _values = queue(12);
                leave()
            });
            thread::sleep(Duration::from_secs(20));
        }),
        ("thread_waits", CODE, || {
            thread::spawn(|| queue(100).to_vec::<f32>());
            thread::sleep(Duration::from_millis(10));
        }),
        ("threads_push", CODE, || {
            for _ in 0..4 {
                thread::spawn(|| {
                    let a = ones();
                    while ops::Dot::new().call(&a, &a).is_ok() {}
                });
            }
            thread::sleep(Duration::from_millis(30));
        }),
        ("thread_local_destructor", CODE, || {
            LAST.with(|_| ());
            drop(queue(12));
        }),
        ("backward", CODE, || {
            let x = ones();
            x.attach_grad().unwrap();
            let y = {
                let _record = mixgrad::autograd::record().unwrap();
                dot(&dot(&x, &x), &x)
            };
            y.backward().unwrap();
        }),
        ("kvstore", CODE, || {
            let store = KVStore::new("local").unwrap();
            let values = ones();
            store.init("w", &values).unwrap();
            for _ in 0..5 {
                store.push("w", &[&queue(1)]).unwrap();
                store.pull("w", &[&values]).unwrap();
            }
        }),
        ("saving", CODE, || {
            thread::spawn(|| mixgrad::save("/dev/null", &BTreeMap::from([("w".to_string(), queue(4))])));
            thread::sleep(Duration::from_millis(10));
        }),
        ("empty_arrays", CODE, || {
            for _ in 0..20 {
                NDArray::empty(&[SIDE, SIDE], mixgrad::DType::Float32, Device::Cpu(0)).unwrap();
            }
        }),
    ]
}

fn main() -> ExitCode {
    let wanted = std::env::args().nth(1).expect("a state");
    for (name, code, run) in states() {
        if wanted == "states" {
            println!("{name} {code}");
        } else if wanted == name {
            run();
            return ExitCode::from(CODE);
        }
    }
    ExitCode::from(if wanted == "states" { 0 } else { 90 })
}
