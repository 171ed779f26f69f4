//! Sounds, played by the PulseAudio or PipeWire server of the desktop.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use pulseaudio::protocol::{ChannelMap, ChannelVolume, PlaybackStreamParams, Prop, Props, SampleFormat, SampleSpec};
use pulseaudio::{AsPlaybackSource, Client, ClientError};

use super::task::block_on;

/// True if this system can play sounds.
pub const CAN_PLAY: bool = true;

/// The maximum number of sounds that play at the same time.
const MAX_SOUNDS: usize = 4;

/// The size of the stack of a thread that plays a sound, in bytes.
const STACK_BYTES: usize = 256 * 1024;

/// Plays samples from -1 to 1 in the background, `rate` samples per second. Does nothing if there
/// is no sound server, or if too many sounds play already.
pub fn play(samples: &[f32], rate: u32) {
    static N_PLAYING: AtomicUsize = AtomicUsize::new(0);
    if N_PLAYING.fetch_add(1, Ordering::AcqRel) >= MAX_SOUNDS {
        N_PLAYING.fetch_sub(1, Ordering::AcqRel);
        return;
    }
    let bytes: Vec<u8> =
        samples.iter().flat_map(|it| ((it.clamp(-1.0, 1.0) * f32::from(i16::MAX)) as i16).to_le_bytes()).collect();
    let work = move || {
        // An error is ignored: without a server, or if it stops, there is no sound.
        let _ = block_on(play_bytes(bytes, rate));
        N_PLAYING.fetch_sub(1, Ordering::AcqRel);
    };
    if thread::Builder::new().name("sound".to_owned()).stack_size(STACK_BYTES).spawn(work).is_err() {
        N_PLAYING.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Returns the connection to the sound server. Connects once; `None` if there is no server.
fn client() -> Option<&'static Client> {
    static CLIENT: OnceLock<Option<Client>> = OnceLock::new();
    CLIENT.get_or_init(|| Client::from_env(c"Bastide").ok()).as_ref()
}

async fn play_bytes(bytes: Vec<u8>, rate: u32) -> Result<(), ClientError> {
    let Some(client) = client() else { return Ok(()) };
    let mut props = Props::new();
    props.set(Prop::MediaName, c"Bastide");
    // The desktop's volume of sound effects applies to this role.
    props.set(Prop::MediaRole, c"event");
    let params = PlaybackStreamParams {
        sample_spec: SampleSpec { format: SampleFormat::S16Le, channels: 1, sample_rate: rate },
        channel_map: ChannelMap::mono(),
        cvolume: Some(ChannelVolume::norm(1)),
        props,
        ..PlaybackStreamParams::default()
    };
    let mut n_read = 0;
    let read = move |buffer: &mut [u8]| {
        let rest = bytes.get(n_read..).unwrap_or_default();
        let n = rest.len().min(buffer.len());
        for (to, from) in buffer.iter_mut().zip(rest) {
            *to = *from;
        }
        n_read += n;
        n
    };
    let stream = client.create_playback_stream(params, read.as_playback_source()).await?;
    stream.play_all().await?;
    stream.delete().await
}
