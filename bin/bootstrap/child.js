import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { ROOT } from './root.js';

const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program in the checkout with our terminal, passes signals on and returns its exit code
 * (128 + number when a signal ended it, as shells do).
 */
export async function runChild(program, args, options = {}) {
  const child = spawn(program, args, { cwd: ROOT, stdio: 'inherit', ...options });
  const forward = (signal) => {
    // Ctrl-C reaches the whole terminal group already; a second SIGINT could cut a clean stop short.
    if (signal === 'SIGINT' && process.stdin.isTTY) return;
    child.kill(signal);
  };
  for (const signal of PASSED_ON) process.on(signal, forward);
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 0)));
    });
  } finally {
    for (const signal of PASSED_ON) process.off(signal, forward);
  }
}

/** Runs a program silently. Returns its exit code and everything it wrote, in order. */
export async function captureChild(program, args, options = {}) {
  const child = spawn(program, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], ...options });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const code = await new Promise((resolve) => {
    child.once('error', (error) => {
      output += error.message;
      resolve(127);
    });
    child.once('close', (exitCode) => resolve(exitCode ?? 1));
  });
  return { code, output };
}
