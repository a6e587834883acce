import type { Command } from './command.ts';

/** Commands that people of the public system look for. They say what is the matter instead of pretending. */
export const LATER_COMMANDS: readonly Command[] = [
  later('reindex', 'Bring an index of version 2 to the schema of version 3.', {}),
];

function later(name: string, summary: string, flags: Command['flags']): Command {
  return {
    name,
    usage: '',
    summary: `${summary} Comes with the next release.`,
    flags,
    async run(context) {
      context.printError(`triad ${name} comes with the next release. Nothing was done.`);
      return 2;
    },
  };
}
