import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { type Command, WrongUse } from './command.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** Stands for the chosen name in the files that are copied. */
const PLACEHOLDER = 'example-name';
/** Stands for the folder of the SDK. */
const SDK_PLACEHOLDER = 'example-sdk';
const SDK = join(ROOT, 'sdk', 'plugin');
const NAME = /^[a-z][a-z0-9_-]{0,63}$/;

interface Scaffold {
  readonly kind: 'extension' | 'plugin';
  readonly summary: string;
  /** Files of the program that the folder gets, too: name → path. */
  readonly extra: Readonly<Record<string, string>>;
  /** Hints on how to go on. */
  readonly next: (folder: string, parent: string, name: string) => readonly string[];
}

const SCAFFOLDS: readonly Scaffold[] = [
  {
    kind: 'extension',
    summary: 'Writes an extension of the enrichment service with routes and an init function.',
    extra: { 'triad-extension.d.ts': 'src/enrichment/extensions/thread/triad-extension.d.ts' },
    next: (_folder, parent, name) => [
      `Start the program with SVC_EXTENSION_FOLDER=${parent} SVC_CORE_EXTENSIONS=${name}`,
      `and ask for http://127.0.0.1:5002/api/v1/${name}/items/first`,
    ],
  },
  {
    kind: 'plugin',
    summary: 'Writes a source of enrichment, an HTTP service, with its test.',
    extra: {},
    next: (folder, _parent, name) => [
      `In ${folder}: npm install, npm test, npm start.`,
      `Then name it in the settings: enrichment.external_sources: [{name: ${name}, url: 'http://127.0.0.1:8000'}]`,
    ],
  },
];

/** The commands that write the beginnings of extensions and plugins. */
export const SCAFFOLD_COMMANDS: readonly Command[] = SCAFFOLDS.map((scaffold) => ({
  name: `${scaffold.kind} new`,
  usage: 'NAME',
  summary: scaffold.summary,
  flags: {
    into: { description: 'folder in which the new folder NAME is made', value: 'required' },
  },
  async run({ print }, { into: [into = ''] = [] }, name) {
    if (into === '') throw new WrongUse(`${scaffold.kind} new needs --into FOLDER.`);
    if (!NAME.test(name)) {
      throw new WrongUse(`"${name}" is not a name: lower-case letters, digits, _ and - are allowed.`);
    }
    const parent = resolve(into);
    const folder = join(parent, name);
    if (existsSync(folder)) throw new WrongUse(`${folder} is there already.`);
    writeScaffold(scaffold, folder, name);
    print(`${folder} is written.`);
    for (const line of scaffold.next(folder, parent, name)) print(line);
    return 0;
  },
}));

/** Writes the whole folder, or nothing. */
function writeScaffold({ kind, extra }: Scaffold, folder: string, name: string): void {
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  cpSync(join(ROOT, 'scaffolds', kind), unfinished, { recursive: true });
  for (const file of globSync('**/*', { cwd: unfinished })) {
    const path = join(unfinished, file);
    if (!statSync(path).isFile()) continue;
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(PLACEHOLDER, name).replaceAll(SDK_PLACEHOLDER, SDK));
  }
  for (const [file, source] of Object.entries(extra)) copyFileSync(join(ROOT, source), join(unfinished, file));
  renameSync(unfinished, folder);
}
