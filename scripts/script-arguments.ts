import { type ParseArgsConfig, parseArgs } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;

/**
 * Reads the arguments of a script.
 * `--help` prints `help` and ends the process with status 0; an unknown option or argument ends it with status 2 and one line.
 */
export function readArguments<const O extends Options>(help: string, options: O, allowPositionals = false) {
  try {
    const read = parseArgs({ options: { ...options, help: { type: 'boolean', short: 'h' } }, allowPositionals });
    if (!(read.values as { help?: boolean }).help) return read;
    console.log(help);
    process.exit(0);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message.split('. ')[0] : error}. See --help.`);
    process.exit(2);
  }
}
