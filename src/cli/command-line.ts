import { type Command, type FlagValues, WrongUse } from './command.ts';

/** A parsed command line. */
export type Request =
  | { readonly kind: 'help'; readonly commands: readonly Command[] }
  | { readonly kind: 'version' }
  | { readonly kind: 'run'; readonly command: Command; readonly flags: FlagValues; readonly words: readonly string[] };

/**
 * Reads a command line. Without a command the first of `commands` is meant.
 * @throws WrongUse for an unknown command or flag, naming what is allowed
 */
export function readCommandLine(commands: readonly Command[], given: readonly string[]): Request {
  const helped = helpedCommands(commands, given);
  if (helped !== undefined) return { kind: 'help', commands: helped };
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

/** Returns the commands whose help is requested (`help`, `user --help`); undefined for other requests. */
function helpedCommands(commands: readonly Command[], given: readonly string[]): readonly Command[] | undefined {
  const end = given.indexOf('--');
  const words = end === -1 ? given : given.slice(0, end);
  const asked = words[0] === 'help' ? words.slice(1) : words;
  if (asked === words && !words.includes('--help') && !words.includes('-h')) return undefined;
  const names = asked.filter((word) => !word.startsWith('-'));
  const group = commands.filter(({ name }) => `${name} `.startsWith(`${names.join(' ')} `));
  if (names.length === 0) return commands;
  return group.length > 0 ? group : [findCommand(commands, names).command];
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
