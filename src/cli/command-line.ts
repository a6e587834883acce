import { parseArgs } from 'node:util';
import { type Command, type FlagValues, WrongUse } from './command.ts';

/** A parsed command line. */
export type Request =
  | { readonly kind: 'help'; readonly commands: readonly Command[] }
  | { readonly kind: 'version' }
  | {
      readonly kind: 'run';
      readonly command: Command;
      readonly flags: FlagValues;
      /** The first argument; empty for none. */
      readonly argument: string;
      readonly all: readonly string[];
    };

/** Reads a command line, by default of the first command; throws WrongUse, naming what is allowed. */
export function readCommandLine(commands: readonly Command[], given: readonly string[]): Request {
  const [first, ...others] = given;
  if (first === 'help') return { kind: 'help', commands: commandsOf(commands, namesIn(others)) };
  const end = given.indexOf('--');
  const words = end === -1 ? given : given.slice(0, end);
  if (words.includes('--help') || words.includes('-h')) {
    return { kind: 'help', commands: commandsOf(commands, namesIn(words)) };
  }
  const names = namesIn(given);
  const [command] = names.length === 0 ? commands : [findCommand(commands, names)];
  if (command === undefined) throw new Error('there are no commands');
  const { tokens } = parseArgs({
    args: given.slice(names.length === 0 ? 0 : command.name.split(' ').length),
    options: Object.fromEntries(
      Object.entries(command.flags).map(([name, { value }]) => [
        name,
        { type: value === 'required' ? 'string' : 'boolean' } as const,
      ]),
    ),
    // Not strict: its messages do not name what is allowed, and no flag could take an optional value.
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const flags: Record<string, string[]> = {};
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    if (rawName === '--version') return { kind: 'version' };
    const flag = Object.hasOwn(command.flags, name) ? command.flags[name] : undefined;
    if (flag === undefined || !rawName.startsWith('--')) throw unknownFlag(rawName, command);
    if (flag.value === 'none' && value !== undefined) throw new WrongUse(`--${name} takes no value.`);
    if (flag.value === 'required' && value === undefined) {
      throw new WrongUse(`--${name} needs a value: ${flag.description}.`);
    }
    const before = flags[name] ?? [];
    if (flag.multiple !== true && before.length > 0) throw new WrongUse(`--${name} is given more than once.`);
    flags[name] = [...before, value ?? ''];
  }
  const positionals = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  return { kind: 'run', command, flags, argument: argumentOf(command, positionals), all: positionals };
}

/** @throws WrongUse */
function argumentOf({ name, usage, instead = '' }: Command, given: readonly string[]): string {
  const [argument = ''] = given;
  if (usage === '' && given.length > 0) {
    throw new WrongUse(`${name} takes no arguments: ${given.join(' ')}.${instead}`);
  }
  const isOptional = usage.startsWith('[');
  const isComplete = usage.endsWith('...')
    ? given.length > 0
    : given.length === usage.split(' ').length || (isOptional && given.length === 0);
  if (usage !== '' && !isComplete) throw new WrongUse(`Use: triad ${name} ${usage}.`);
  return argument;
}

/** Returns the words before the first flag. */
function namesIn(words: readonly string[]): readonly string[] {
  const end = words.findIndex((word) => word.startsWith('-'));
  return end === -1 ? words : words.slice(0, end);
}

/** Returns the commands whose names begin with these words, or the one that they call. */
function commandsOf(commands: readonly Command[], names: readonly string[]): readonly Command[] {
  if (names.length === 0) return commands;
  const group = commands.filter(({ name }) => `${name} `.startsWith(`${names.join(' ')} `));
  return group.length > 0 ? group : [findCommand(commands, names)];
}

/** @throws WrongUse */
function findCommand(commands: readonly Command[], names: readonly string[]): Command {
  const found = commands.find(({ name }) => name.split(' ').every((part, index) => names[index] === part));
  if (found !== undefined) return found;
  const allowed = commands.map(({ name }) => name).join(', ');
  throw new WrongUse(`"${names.slice(0, 2).join(' ')}" is not a command. Allowed: ${allowed}.`);
}

function unknownFlag(flag: string, command: Command): WrongUse {
  const allowed = [...Object.keys(command.flags).map((name) => `--${name}`), '--help', '--version'];
  return new WrongUse(`${command.name} does not know ${flag}. Allowed: ${allowed.join(', ')}.`);
}

/** Formats the help of commands. */
export function helpText(commands: readonly Command[]): string {
  const lines = ['Usage: triad [COMMAND] [FLAGS]', ''];
  for (const { name, usage, summary, flags } of commands) {
    lines.push(`  triad ${name}${usage === '' ? '' : ` ${usage}`}`, `      ${summary}`);
    const forms = Object.entries(flags).map(([flag, { value, description }]) => ({
      form: value === 'required' ? `--${flag} VALUE` : `--${flag}`,
      description,
    }));
    const width = Math.max(...forms.map(({ form }) => form.length));
    for (const { form, description } of forms) lines.push(`      ${form.padEnd(width)}   ${description}`);
  }
  lines.push('', '  triad --help, triad COMMAND --help   help of all commands, or of one');
  lines.push('  triad --version                      version of the program', '');
  lines.push('Settings come from conf/config.yml and SVC_* variables: docs/configuration.md.');
  return lines.join('\n');
}
