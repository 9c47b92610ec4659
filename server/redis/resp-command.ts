import type { Bytes } from '@/lib/protocol/bytes';

export type CommandArguments = readonly (Bytes | number)[];

/** One command in RESP, as a binary string to be written with encoding `latin1`. */
export function encodeCommand(args: CommandArguments): string {
  let out = `*${args.length}\r\n`;
  for (const argument of args) {
    const text = typeof argument === 'number' ? String(argument) : argument;
    out += `$${text.length}\r\n${text}\r\n`;
  }
  return out;
}
