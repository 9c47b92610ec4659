const NOTES = [
  { hertz: 660, at: 0 },
  { hertz: 880, at: 0.16 },
] as const;
const NOTE_S = 0.14;
const LOUDNESS = 0.12;
/** Both notes, and what a busy device is behind with. */
const LASTS_MS = 600;
/** A page that may sound does so at once. */
const ALLOWED_WITHIN_MS = 300;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A short tone of two notes. False where the browser keeps the page silent, as before the first press on it. */
export async function playTone(): Promise<boolean> {
  const context = new AudioContext();
  try {
    // It may never resolve while the browser waits for a press.
    await Promise.race([context.resume(), pause(ALLOWED_WITHIN_MS)]);
    if (context.state !== 'running') return false;
    for (const { hertz, at } of NOTES) note(context, hertz, context.currentTime + at);
    await pause(LASTS_MS);
    return true;
  } finally {
    await context.close();
  }
}

function note(context: AudioContext, hertz: number, at: number): void {
  const source = new OscillatorNode(context, { frequency: hertz, type: 'sine' });
  const volume = new GainNode(context, { gain: 0 });
  // Faded in and out, or it would click.
  volume.gain.setValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(LOUDNESS, at + 0.02);
  volume.gain.linearRampToValueAtTime(0, at + NOTE_S);
  source.connect(volume).connect(context.destination);
  source.start(at);
  source.stop(at + NOTE_S);
}
