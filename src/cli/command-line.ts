import { type Command, type FlagValues, WrongUse } from './command.ts';

/** A parsed command line. */
export type Request =
  | { readonly kind: 'help'; readonly command: Command | undefined }
  | { readonly kind: 'version' }
  | { readonly kind: 'run'; readonly command: Command; readonly flags: FlagValues; readonly words: readonly string[] };

/**
 * Reads a command line. Without a command the first of `commands` is meant.
 * @throws WrongUse for an unknown command or flag, naming what is allowed
 */
export function readCommandLine(commands: readonly Command[], given: readonly string[]): Request {
  const command = findCommand(commands, given);
  const rest = given.slice(command.explicit ? command.command.name.split(' ').length : 0);
  const flags: Record<string, string[]> = {};
  const words: string[] = [];
  for (let index = 0; index < rest.length; index += 1) {
    const word = rest[index] ?? '';
    if (word === '--') {
      words.push(...rest.slice(index + 1));
      break;
    }
    if (word === '--help' || word === '-h')
      return { kind: 'help', command: command.explicit ? command.command : undefined };
    if (word === '--version') return { kind: 'version' };
    if (!word.startsWith('-') || word === '-') {
      words.push(word);
      continue;
    }
    const equals = word.indexOf('=');
    const name = word.slice(0, equals === -1 ? undefined : equals).replace(/^--/, '');
    const flag = Object.hasOwn(command.command.flags, name) ? command.command.flags[name] : undefined;
    if (flag === undefined || !word.startsWith('--')) throw unknownFlag(word, command.command);
    let value = equals === -1 ? '' : word.slice(equals + 1);
    if (flag.value === 'none' && equals !== -1) throw new WrongUse(`--${name} takes no value.`);
    if (flag.value === 'required' && equals === -1) {
      index += 1;
      const next = rest[index];
      if (next === undefined) throw new WrongUse(`--${name} needs a value: ${flag.description}.`);
      value = next;
    }
    flags[name] = [...(flags[name] ?? []), value];
    if (flag.multiple !== true && (flags[name]?.length ?? 0) > 1)
      throw new WrongUse(`--${name} is given more than once.`);
  }
  return { kind: 'run', command: command.command, flags, words };
}

function findCommand(commands: readonly Command[], given: readonly string[]): { command: Command; explicit: boolean } {
  const [first] = commands;
  if (first === undefined) throw new Error('there are no commands');
  const named = given.findIndex((word) => word.startsWith('-'));
  const names = named === -1 ? given : given.slice(0, named);
  if (names.length === 0) return { command: first, explicit: false };
  const found = commands.find(({ name }) => name.split(' ').every((part, index) => names[index] === part));
  if (found !== undefined) return { command: found, explicit: true };
  const allowed = commands.map(({ name }) => name).join(', ');
  throw new WrongUse(`"${names.slice(0, 2).join(' ')}" is not a command. Allowed: ${allowed}.`);
}

function unknownFlag(word: string, command: Command): WrongUse {
  const allowed = [...Object.keys(command.flags).map((name) => `--${name}`), '--help', '--version'];
  return new WrongUse(`${command.name} does not know ${word}. Allowed: ${allowed.join(', ')}.`);
}

/** Help of one command, or of all. */
export function helpText(commands: readonly Command[], command: Command | undefined): string {
  const shown = command === undefined ? commands : [command];
  const lines = ['Usage: triad [COMMAND] [FLAGS]', ''];
  for (const { name, usage, summary, flags } of shown) {
    lines.push(`  triad ${name}${usage === '' ? '' : ` ${usage}`}`, `      ${summary}`);
    for (const [flag, { value, description }] of Object.entries(flags)) {
      const form = value === 'required' ? `--${flag} VALUE` : `--${flag}`;
      lines.push(`      ${form}: ${description}`);
    }
  }
  lines.push('', '  --help      this text', '  --version   version of the program', '');
  lines.push('Settings come from conf/config.yml and SVC_* variables: docs/configuration.md.');
  return lines.join('\n');
}
