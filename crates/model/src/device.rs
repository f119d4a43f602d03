//! The device of tensors: the CPU, or a CUDA device if this program and this machine have one.
//!
//! A request for CUDA can fail with a reason; `auto` cannot. Number formats are chosen elsewhere,
//! and the driver's memory pool is unchanged: raising its release threshold takes an unsafe call,
//! which this project makes only in `tiles`.

use std::fmt;
use std::panic::{self, PanicHookInfo, UnwindSafe};
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use candle_core::{Device, Tensor};

use crate::error::{Error, Result};

/// The requested device. Written `auto`, `cpu`, `cuda` (the first device) or `cuda:N`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DeviceChoice {
    /// The first CUDA device if it can be used, else the CPU.
    #[default]
    Auto,
    /// The CPU.
    Cpu,
    /// The CUDA device of this number, as `nvidia-smi` counts; an error if it cannot be used.
    Cuda(usize),
}

impl fmt::Display for DeviceChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Cpu => f.write_str("cpu"),
            Self::Cuda(n) => write!(f, "cuda:{n}"),
        }
    }
}

impl FromStr for DeviceChoice {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let number = |n: &str| n.parse().ok().map(Self::Cuda);
        match text {
            "auto" => Some(Self::Auto),
            "cpu" => Some(Self::Cpu),
            "cuda" => Some(Self::Cuda(0)),
            _ => text.strip_prefix("cuda:").and_then(number),
        }
        .ok_or_else(|| Error::Device {
            wanted: text.to_owned(),
            cause: "there is no such device".to_owned(),
            next: "write auto, cpu, cuda or cuda:N",
        })
    }
}

/// Opens the chosen device. Returns it with the reason for the choice, one line for the log.
///
/// Call it once and pass the device on: tensors of two openings of one GPU do not mix. Use a CUDA
/// device from one thread: candle's default stream is per thread, and two streams are not ordered.
///
/// # Errors
/// [`Error::Device`] if CUDA was requested and this program lacks it, a library or the device is
/// missing, or the device fails to run a first kernel. Never for `Auto` and `Cpu`.
pub fn device(choice: DeviceChoice) -> Result<(Device, String)> {
    match choice {
        DeviceChoice::Cpu => Ok((Device::Cpu, "the CPU was asked for".to_owned())),
        DeviceChoice::Cuda(ordinal) => open_cuda(ordinal)
            .map(|cuda| (cuda.device, cuda.name))
            .map_err(|Refusal { cause, next }| Error::Device {
                wanted: choice.to_string(),
                cause,
                next,
            }),
        DeviceChoice::Auto => Ok(match open_cuda(0) {
            Ok(cuda) => (cuda.device, cuda.name),
            Err(refusal) => (Device::Cpu, refusal.cause),
        }),
    }
}

/// A device that ran a kernel.
struct Cuda {
    device: Device,
    name: String,
}

/// Why there is no CUDA device.
struct Refusal {
    cause: String,
    next: &'static str,
}

fn open_cuda(ordinal: usize) -> Result<Cuda, Refusal> {
    // Compile-time support, regardless of the machine.
    if !candle_core::utils::cuda_is_available() {
        return Err(Refusal {
            cause: "this program was built without CUDA".to_owned(),
            next: "build it with runs/build-cuda.sh (docs/gpu.md), or use cpu",
        });
    }
    // cudarc panics when it cannot open a library and returns an error for everything else.
    match without_panic(|| try_cuda(ordinal)) {
        Ok(Ok(cuda)) => Ok(cuda),
        Ok(Err(error)) => Err(Refusal {
            cause: first_line(&error.to_string()),
            next: "see what nvidia-smi lists (devices, driver 580 or newer), or use cpu",
        }),
        Err(panic) => Err(Refusal {
            cause: library_of(&panic),
            next: "libcuda is part of NVIDIA's driver, libcublas and libcurand of CUDA 13: put their directories on LD_LIBRARY_PATH (docs/gpu.md), or use cpu",
        }),
    }
}

/// Opens the device and runs one kernel on it: only then does a driver report that it is too old
/// for the compiled kernels.
fn try_cuda(ordinal: usize) -> candle_core::Result<Cuda> {
    let device = Device::new_cuda(ordinal)?;
    codexec_gpu::keep_memory(&device)?;
    let ran = Tensor::new(&[1f32, 2.0], &device)?.affine(2.0, 1.0)?;
    let ran: Vec<f32> = ran.to_vec1()?;
    if ran != [3.0, 5.0] {
        candle_core::bail!("the device computes {ran:?} for [3, 5]");
    }
    let name = format!("cuda:{ordinal}, {}", product_name(&device)?);
    Ok(Cuda { device, name })
}

#[cfg(feature = "cuda")]
fn product_name(device: &Device) -> candle_core::Result<String> {
    let stream = device.as_cuda_device()?.cuda_stream();
    stream.context().name().map_err(candle_core::Error::wrap)
}

#[cfg(not(feature = "cuda"))]
fn product_name(_: &Device) -> candle_core::Result<String> {
    Err(candle_core::Error::NotCompiledWithCudaSupport)
}

/// Errors carry a backtrace if one is requested.
fn first_line(message: &str) -> String {
    message.lines().next().unwrap_or_default().to_owned()
}

/// Leaves the twenty file names that were tried out of cudarc's message.
fn library_of(panic: &str) -> String {
    first_line(panic.split(" - searched").next().unwrap_or(panic))
}

/// What reports a panic.
type Hook = Box<dyn Fn(&PanicHookInfo<'_>) + Sync + Send>;

/// The result of `f`, or the message it panicked with, which is not printed. Panics of other
/// threads are still reported as usual.
fn without_panic<T>(f: impl FnOnce() -> T + UnwindSafe) -> Result<T, String> {
    // The hook is global: two concurrent calls would restore each other's.
    static HOOK: Mutex<()> = Mutex::new(());
    let _alone = HOOK.lock().unwrap_or_else(PoisonError::into_inner);

    let quiet = thread::current().id();
    let usual: Arc<Hook> = Arc::new(panic::take_hook());
    let others = Arc::clone(&usual);
    panic::set_hook(Box::new(move |info| {
        if thread::current().id() != quiet {
            others(info);
        }
    }));
    let outcome = panic::catch_unwind(f);
    drop(panic::take_hook());
    panic::set_hook(match Arc::try_unwrap(usual) {
        Ok(usual) => usual,
        Err(shared) => Box::new(move |info| shared(info)),
    });
    outcome.map_err(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
        text.unwrap_or("the CUDA library panicked").to_owned()
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn every_choice_reads_back_as_written() {
        for choice in [
            DeviceChoice::Auto,
            DeviceChoice::Cpu,
            DeviceChoice::Cuda(0),
            DeviceChoice::Cuda(3),
        ] {
            assert_eq!(choice.to_string().parse::<DeviceChoice>().unwrap(), choice);
        }
        assert_eq!(
            "cuda".parse::<DeviceChoice>().unwrap(),
            DeviceChoice::Cuda(0)
        );
        for wrong in ["", "gpu", "cuda:", "cuda:-1", "cuda:x", "CPU"] {
            let error = wrong.parse::<DeviceChoice>().unwrap_err().to_string();
            assert!(error.contains("cuda:N"), "{wrong}: {error}");
        }
    }

    #[test]
    fn the_cpu_is_given_when_asked_for() {
        let (device, why) = device(DeviceChoice::Cpu).unwrap();
        assert!(device.is_cpu());
        assert_eq!(why, "the CPU was asked for");
    }

    /// With a GPU both succeed; without one the automatic choice gives the same reason as the
    /// error.
    #[test]
    fn the_automatic_choice_falls_back_for_the_reason_cuda_is_refused() {
        let (automatic, why) = device(DeviceChoice::Auto).unwrap();
        assert!(!why.is_empty() && why.lines().count() == 1, "{why}");
        match device(DeviceChoice::Cuda(0)) {
            Ok((cuda, name)) => {
                assert!(cuda.is_cuda() && automatic.is_cuda());
                assert_eq!(name, why);
            }
            Err(error @ Error::Device { .. }) => {
                assert!(automatic.is_cpu());
                let error = error.to_string();
                assert!(error.starts_with("cannot use cuda:0: "), "{error}");
                assert!(error.contains(&why), "{error}: {why}");
                assert!(error.contains("or use cpu"), "{error}");
            }
            Err(other) => panic!("{other}"),
        }
    }

    #[cfg(not(feature = "cuda"))]
    #[test]
    fn without_the_feature_the_refusal_says_how_to_build() {
        let error = device(DeviceChoice::Cuda(1)).unwrap_err().to_string();
        assert!(error.contains("cuda:1"), "{error}");
        assert!(error.contains("runs/build-cuda.sh"), "{error}");
    }

    #[test]
    fn a_missing_library_is_named_in_one_line() {
        let panic = "Unable to dynamically load the \"cuda\" shared library - searched for library names: [\"libcuda.so\"]. Ensure";
        assert_eq!(
            library_of(panic),
            "Unable to dynamically load the \"cuda\" shared library"
        );
    }

    #[test]
    fn a_caught_panic_is_silent_and_the_hook_comes_back() {
        static SEEN: AtomicUsize = AtomicUsize::new(0);
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if info.payload().downcast_ref::<&str>() == Some(&"planted") {
                SEEN.fetch_add(1, Ordering::SeqCst);
            } else {
                usual(info);
            }
        }));
        let planted = || -> () { panic!("planted") };

        assert_eq!(without_panic(planted), Err("planted".to_owned()));
        assert_eq!(SEEN.load(Ordering::SeqCst), 0, "printed while caught");

        let elsewhere = without_panic(move || thread::spawn(planted).join().is_err());
        assert_eq!(elsewhere, Ok(true));
        assert_eq!(SEEN.load(Ordering::SeqCst), 1, "another thread's was lost");

        assert!(panic::catch_unwind(planted).is_err());
        assert_eq!(SEEN.load(Ordering::SeqCst), 2, "the hook was not put back");
    }
}
