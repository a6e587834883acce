import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Command, WrongUse } from './command.ts';
import { helpText, readCommandLine } from './command-line.ts';
import { COMMANDS } from './run-command-line.ts';

const run = async () => 0 as const;
const commands: readonly Command[] = [
  { name: 'serve', usage: '', summary: 'Serve.', flags: { demo: { value: 'optional', description: 'the demo' } }, run },
  {
    name: 'user create',
    usage: 'NAME',
    summary: 'Make.',
    flags: {
      name: { value: 'required', description: 'full name' },
      random: { value: 'none', description: 'random' },
      id: { value: 'required', description: 'id', multiple: true },
    },
    run,
  },
];

describe('readCommandLine', () => {
  it('finds commands of one and two words, and the first without one', () => {
    assert.equal(nameOf([]), 'serve');
    assert.equal(nameOf(['--demo']), 'serve');
    assert.equal(nameOf(['serve']), 'serve');
    assert.equal(nameOf(['user', 'create', 'anna']), 'user create');
  });

  it('reads flags in every form, and words', () => {
    assert.deepEqual(flagsOf(['--demo']), { demo: [''] });
    assert.deepEqual(flagsOf(['--demo=users']), { demo: ['users'] });
    assert.deepEqual(flagsOf(['user', 'create', 'anna', '--name', 'Anna B', '--random']), {
      name: ['Anna B'],
      random: [''],
    });
    assert.deepEqual(flagsOf(['user', 'create', 'anna', '--id=1', '--id', '-2']), { id: ['1', '-2'] });
    for (const argument of ['--anna', '-']) {
      const request = readCommandLine(commands, ['user', 'create', '--', argument]);
      assert.equal(request.kind === 'run' && request.argument, argument);
    }
    const stream = readCommandLine(commands, ['user', 'create', '-', '--random']);
    assert.equal(stream.kind === 'run' && stream.argument, '-');
  });

  it('refuses what it does not know and names what is allowed', () => {
    assert.throws(() => readCommandLine(commands, ['--dmeo']), wrongUse(/--dmeo.*--demo, --help, --version/));
    assert.throws(
      () => readCommandLine(commands, ['user', 'create', '--demo']),
      wrongUse(/user create does not know --demo.*--name/),
    );
    assert.throws(() => readCommandLine(commands, ['-x']), wrongUse(/-x/));
    assert.throws(() => readCommandLine(commands, ['--constructor']), wrongUse(/--constructor/));
    assert.throws(
      () => readCommandLine(commands, ['usr', 'create']),
      wrongUse(/"usr create" is not a command.*serve, user create/),
    );
  });

  it('refuses flags without the value they need, with one they do not take, and given twice', () => {
    assert.throws(() => readCommandLine(commands, ['user', 'create', '--name']), wrongUse(/--name needs a value/));
    assert.throws(
      () => readCommandLine(commands, ['user', 'create', '--random=1']),
      wrongUse(/--random takes no value/),
    );
    assert.throws(
      () => readCommandLine(commands, ['user', 'create', '--name=a', '--name=b']),
      wrongUse(/more than once/),
    );
  });

  it('refuses a missing argument, and arguments where none or one is taken', () => {
    for (const given of [
      ['user', 'create'],
      ['user', 'create', 'anna', 'otto'],
    ]) {
      assert.throws(() => readCommandLine(commands, given), wrongUse(/^Use: triad user create NAME\.$/));
    }
    assert.throws(() => readCommandLine(commands, ['serve', 'now']), wrongUse(/^serve takes no arguments: now\.$/));
  });

  it('understands the wish for help and for the version', () => {
    assert.equal(readCommandLine(commands, ['--version']).kind, 'version');
    for (const [given, helped] of [
      [['--help'], ['serve', 'user create']],
      [['help'], ['serve', 'user create']],
      [
        ['--demo', '-h'],
        ['serve', 'user create'],
      ],
      [['serve', '--help'], ['serve']],
      [['user', '--help'], ['user create']],
      [['help', 'user'], ['user create']],
      [['user', 'create', 'anna', '--help'], ['user create']],
    ] as const) {
      const request = readCommandLine(commands, given);
      assert.deepEqual(request.kind === 'help' && request.commands.map(({ name }) => name), helped, given.join(' '));
    }
    assert.throws(() => readCommandLine(commands, ['usr', '--help']), wrongUse(/"usr" is not a command/));
    assert.equal(readCommandLine(commands, ['user', 'create', '--', '--help']).kind, 'run');
  });
});

it('tells every command and flag in its help', () => {
  const text = helpText(COMMANDS);
  for (const { name, flags } of COMMANDS) {
    assert.ok(text.includes(`triad ${name}`), name);
    for (const flag of Object.keys(flags)) assert.ok(text.includes(`--${flag}`), flag);
  }
});

function nameOf(given: readonly string[]): string | undefined {
  const request = readCommandLine(commands, given);
  return request.kind === 'run' ? request.command.name : undefined;
}

function flagsOf(given: readonly string[]): unknown {
  const request = readCommandLine(commands, given);
  return request.kind === 'run' ? request.flags : undefined;
}

function wrongUse(message: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof WrongUse && message.test(error.message);
}
