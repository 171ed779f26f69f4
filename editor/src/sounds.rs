//! The sounds of the board, computed when they are needed: knocks on wood, a chime and a chord.

use platform::sound;

/// The number of samples per second.
const RATE: u32 = 44_100;

/// The length of the fade at the end of a sound, in seconds.
const FADE: f32 = 0.02;

/// The largest absolute value of a sample.
const MAX_PEAK: f32 = 0.85;

/// An event that can be heard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sound {
    /// A tile is laid: a low knock on wood.
    Tile,
    /// A piece is placed or moves: a higher knock.
    Piece,
    /// A piece returns to supply: a soft knock.
    Home,
    /// A player receives points: two notes.
    Points,
    /// The game is over: a chord.
    End,
}

/// A part of a sound: a tone that begins at once and fades.
struct Tone {
    /// The time before the tone, in seconds.
    from: f32,
    /// The frequency, in hertz.
    pitch: f32,
    /// The time in which the tone swells, in seconds.
    swell: f32,
    /// The time in which the tone falls to a third, in seconds.
    decay: f32,
    /// The amplitude at the beginning.
    strength: f32,
}

impl Tone {
    /// Returns the tone with a higher pitch, a shorter decay and a smaller strength: each is
    /// multiplied by a factor.
    fn partial(&self, [pitch, decay, strength]: [f32; 3]) -> Tone {
        Tone { pitch: self.pitch * pitch, decay: self.decay * decay, strength: self.strength * strength, ..*self }
    }
}

/// Makes the tones of a knock on wood: few partials that do not harmonize, and fade quickly.
fn knock(pitch: f32, decay: f32, strength: f32) -> Vec<Tone> {
    let first = Tone { from: 0.0, pitch, swell: 0.0015, decay, strength };
    [[1.0; 3], [2.57, 0.5, 0.45], [4.2, 0.28, 0.22], [7.9, 0.12, 0.12]].map(|factors| first.partial(factors)).into()
}

/// Makes the tones of a note of a small bell.
fn note(from: f32, pitch: f32, swell: f32, decay: f32, strength: f32) -> Vec<Tone> {
    let first = Tone { from, pitch, swell, decay, strength };
    [[1.0; 3], [2.0, 0.6, 0.25], [3.0, 0.35, 0.08]].map(|factors| first.partial(factors)).into()
}

impl Sound {
    /// Returns the length in seconds.
    fn length(self) -> f32 {
        match self {
            Sound::Tile => 0.3,
            Sound::Piece | Sound::Home => 0.2,
            Sound::Points => 0.75,
            Sound::End => 0.98,
        }
    }

    fn tones(self) -> Vec<Tone> {
        match self {
            Sound::Tile => knock(196.0, 0.055, 0.42),
            Sound::Piece => knock(523.0, 0.03, 0.3),
            Sound::Home => knock(392.0, 0.026, 0.18),
            Sound::Points => {
                let mut tones = note(0.0, 659.26, 0.004, 0.14, 0.2);
                tones.extend(note(0.09, 987.77, 0.004, 0.16, 0.2));
                tones
            }
            Sound::End => {
                let chord = [(0.0, 261.63), (0.03, 329.63), (0.06, 392.0), (0.09, 523.25)];
                chord.into_iter().flat_map(|(from, pitch)| note(from, pitch, 0.03, 0.24, 0.14)).collect()
            }
        }
    }

    /// Computes the samples, from -1 to 1. The sound ends in silence.
    fn samples(self) -> Vec<f32> {
        let n = (self.length() * RATE as f32) as usize;
        let mut samples = vec![0.0; n];
        for tone in self.tones() {
            let first = (tone.from * RATE as f32) as usize;
            for (i, sample) in samples.iter_mut().skip(first).enumerate() {
                let t = i as f32 / RATE as f32;
                let loudness = (t / tone.swell).min(1.0) * (-t / tone.decay).exp() * tone.strength;
                *sample += loudness * (std::f32::consts::TAU * tone.pitch * t).sin();
            }
        }
        let n_fade = (FADE * RATE as f32) as usize;
        for (i, sample) in samples.iter_mut().rev().take(n_fade).enumerate() {
            *sample *= i as f32 / n_fade as f32;
        }
        samples
    }
}

/// Mixes sounds, each with its delay in seconds. Of sounds of the same kind, mixes only the first.
fn mix(sounds: &[(Sound, f32)], volume: f32) -> Vec<f32> {
    let mut mixed: Vec<f32> = Vec::new();
    for (i, (sound, delay)) in sounds.iter().enumerate() {
        if sounds.iter().take(i).any(|(earlier, _)| earlier == sound) {
            continue;
        }
        let first = (delay.max(0.0) * RATE as f32) as usize;
        let samples = sound.samples();
        mixed.resize(mixed.len().max(first + samples.len()), 0.0);
        mixed.iter_mut().skip(first).zip(samples).for_each(|(to, sample)| *to += sample * volume);
    }
    let peak = mixed.iter().fold(0.0_f32, |peak, sample| peak.max(sample.abs()));
    if peak > MAX_PEAK {
        mixed.iter_mut().for_each(|sample| *sample *= MAX_PEAK / peak);
    }
    mixed
}

/// Plays sounds, each after its delay in seconds. `volume` is from 0 to 1. Returns immediately.
pub fn play(sounds: &[(Sound, f32)], volume: f32) {
    if !sounds.is_empty() && volume > 0.0 {
        sound::play(&mix(sounds, volume.min(1.0)), RATE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Sound; 5] = [Sound::Tile, Sound::Piece, Sound::Home, Sound::Points, Sound::End];

    #[test]
    fn sounds_are_short_and_soft_and_end_in_silence() {
        for sound in ALL {
            let samples = sound.samples();
            let peak = samples.iter().fold(0.0_f32, |peak, sample| peak.max(sample.abs()));
            assert!((0.1..0.9).contains(&peak), "{sound:?}: peak {peak}");
            let mean = samples.iter().sum::<f32>() / samples.len() as f32;
            assert!(mean.abs() < 0.002, "{sound:?}: mean {mean}");
            assert!(samples.len() < RATE as usize, "{sound:?}");
            assert!(samples.first().is_some_and(|sample| sample.abs() < 0.001), "{sound:?}");
            let end = samples.iter().rev().take(20);
            assert!(end.clone().count() == 20 && end.copied().all(|sample| sample.abs() < 0.001), "{sound:?}");
            // No sample jumps, so nothing clicks.
            let jump = samples.windows(2).fold(0.0_f32, |jump, pair| jump.max((pair[1] - pair[0]).abs()));
            assert!(jump < 0.25, "{sound:?}: jump {jump}");
        }
    }

    #[test]
    fn a_move_with_all_sounds_does_not_clip() {
        let all = ALL.map(|sound| (sound, 0.0));
        let mixed = mix(&all, 1.0);
        assert!(mixed.iter().all(|sample| sample.abs() <= MAX_PEAK + 1e-4));
        assert!(mix(&[], 1.0).is_empty());
        // Two pieces at once sound like one, and a delayed sound begins with silence.
        assert_eq!(mix(&[(Sound::Piece, 0.0), (Sound::Piece, 0.0)], 0.5), mix(&[(Sound::Piece, 0.0)], 0.5));
        let late = mix(&[(Sound::Tile, 0.1)], 1.0);
        assert!(late.iter().take(4409).all(|sample| *sample == 0.0));
        assert!(late.iter().skip(4410).any(|sample| sample.abs() > 0.1));
    }
}
