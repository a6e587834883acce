import type { pino } from 'pino';
import { type Config, loadConfig } from '../config/config.ts';

/** Everything that a command may use of its environment; only main.ts accesses the process. */
export interface CommandContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  /** Prints one line of the requested result. */
  readonly print: (line: string) => void;
  /** Prints one line of progress, a warning or an error. */
  readonly printError: (line: string) => void;
  readonly input: NodeJS.ReadableStream;
  /** True when standard input is a terminal, so that questions can be asked. */
  readonly interactive: boolean;
  readonly errorStream: NodeJS.WriteStream;
  /** True if standard output is a terminal. */
  readonly terminal: boolean;
  /** `asJson` null: text when standard output is a terminal, else JSON. */
  readonly createLogger: (level: string, asJson: boolean | null) => pino.Logger;
  /** Aborts when the process is asked to end. */
  readonly ending: AbortSignal;
}

/** 0 done, 1 failed, 2 wrong use. */
export type ExitStatus = 0 | 1 | 2;

export interface Command {
  /** Words that call it, `user create`. */
  readonly name: string;
  /**
   * The arguments after the name, `FILE|-` or `NAME VALUE`; empty for none, `[NAME]` for at most one,
   * `FILE...` for one or more.
   */
  readonly usage: string;
  /** A hint, ` Use --index.`, for the refusal of arguments. */
  readonly instead?: string;
  readonly summary: string;
  readonly flags: Readonly<Record<string, FlagDescription>>;
  /** Loads the program when it is needed: help, lists and refusals touch no datastore. */
  run(context: CommandContext, flags: FlagValues, argument: string, all?: readonly string[]): Promise<ExitStatus>;
}

interface FlagDescription {
  readonly description: string;
  /** `none`: a switch; `optional`: `--demo`, `--demo=users`; `required`: `--name Al`, `--name=Al`. */
  readonly value: 'none' | 'optional' | 'required';
  readonly multiple?: boolean;
}

/** Values of the flags given: '' for a flag without a value. */
export type FlagValues = Readonly<Record<string, readonly string[]>>;

/** The command line cannot be understood. Exit status 2. */
export class WrongUse extends Error {}

/** Returns the settings of a command that prints its result, with its audit log on standard error. */
export function loadCommandConfig({ environment }: Pick<CommandContext, 'environment'>): Config {
  const config = loadConfig({ environment });
  return config.audit.to === 'stdout' ? { ...config, audit: { ...config.audit, to: 'stderr' } } : config;
}
