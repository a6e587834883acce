import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import type { Foundation } from '../program.ts';
import {
  type Command,
  type CommandContext,
  type ExitStatus,
  type FlagValues,
  loadCommandConfig,
  WrongUse,
} from './command.ts';
import { alignColumns } from './text-format.ts';

const PASSWORD_FLAGS = {
  random: { value: 'none', description: 'make a random password and print it' },
  'password-stdin': { value: 'none', description: 'read the password from the first line of standard input' },
} as const;

/** Commands for accounts. They need the data folder; stop the program first. */
export const USER_COMMANDS: readonly Command[] = [
  {
    name: 'user create',
    usage: 'NAME',
    summary: 'Make an account. Asks for the password.',
    flags: {
      name: { value: 'required', description: 'full name; default: NAME' },
      email: { value: 'required', description: 'e-mail address' },
      type: { value: 'required', description: 'user types by commas: user, admin ...; default: user' },
      classification: { value: 'required', description: 'clearance of the user; default: unrestricted' },
      ...PASSWORD_FLAGS,
    },
    run: (context, flags, username) =>
      withFoundation(context, async ({ accounts }) => {
        const password = await choosePassword(context, flags);
        const [classification, email] = [flags.classification?.[0], flags.email?.[0]];
        await accounts.create(username, {
          name: flags.name?.[0] ?? '',
          new_pass: password.text,
          type: (flags.type?.[0] ?? 'user').split(',').map((type) => type.trim()),
          ...(email === undefined ? {} : { email }),
          ...(classification === undefined ? {} : { classification }),
        });
        context.print(`${username} was made.${password.announcement}`);
      }),
  },
  {
    name: 'user list',
    usage: '',
    summary: 'List the accounts.',
    flags: {},
    run: (context) =>
      withFoundation(context, async ({ accounts }) => {
        const rows = (await accounts.list()).map(({ uname, is_active, type, name, email }) => {
          return [uname, is_active ? 'active' : 'disabled', type.join(','), name, email ?? ''];
        });
        for (const line of alignColumns([['USER', 'STATE', 'TYPES', 'NAME', 'E-MAIL'], ...rows])) context.print(line);
      }),
  },
  {
    name: 'user disable',
    usage: 'NAME',
    summary: 'Switch an account off and end its sessions.',
    flags: {},
    run: (context, _flags, username) =>
      withFoundation(context, async ({ accounts }) => {
        await accounts.setActive(username, false);
        context.print(`${username} is disabled.`);
      }),
  },
  {
    name: 'user set-password',
    usage: 'NAME',
    summary: 'Set the password of an account and end its sessions. Asks for the password.',
    flags: PASSWORD_FLAGS,
    run: (context, flags, username) =>
      withFoundation(context, async ({ accounts }) => {
        const password = await choosePassword(context, flags);
        await accounts.setPassword(username, password.text);
        context.print(`The password of ${username} is set.${password.announcement}`);
      }),
  },
];

async function withFoundation(
  context: CommandContext,
  use: (foundation: Foundation) => Promise<void>,
): Promise<ExitStatus> {
  const config = loadCommandConfig(context);
  const logger = context.createLogger('ERROR', config.logging.log_as_json);
  const { openFoundation } = await import('../program.ts');
  const foundation = await openFoundation(config, { version: context.version, logger });
  try {
    await use(foundation);
    return 0;
  } finally {
    await foundation.close();
  }
}

/** From a person, from standard input, or made up. */
async function choosePassword(context: CommandContext, flags: FlagValues) {
  if (flags.random !== undefined) {
    const text = randomBytes(18).toString('base64url');
    return { text, announcement: ` Its password, shown once: ${text}` };
  }
  if (flags['password-stdin'] !== undefined) return { text: await firstLine(context.input), announcement: '' };
  if (!context.interactive) {
    throw new WrongUse('There is no terminal to ask for the password. Give --random or --password-stdin.');
  }
  const { isCancel, password } = await import('@clack/prompts');
  const text = await password({ message: 'Password' });
  if (isCancel(text)) throw new WrongUse('Cancelled.');
  const again = await password({ message: 'Again' });
  if (text !== again) throw new WrongUse('The two passwords are not the same.');
  return { text, announcement: '' };
}

async function firstLine(input: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input })) return line;
  return '';
}
