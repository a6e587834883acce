// Writes ui/src/api/generated/*.ts from docs/openapi/*.json. With --check, only compares them and ends with 1 on a difference.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readArguments } from './script-arguments.ts';

const { check } = readArguments(
  'npm run ui:types -- [--check]\n\nWrites the types of the API clients of the web interface from docs/openapi.\n  --check   only compares them',
  { check: { type: 'boolean' } },
);

const root = join(import.meta.dirname, '..');
const tool = join(
  dirname(createRequire(join(root, 'ui/package.json')).resolve('openapi-typescript/package.json')),
  'bin/cli.js',
);
const HEAD = '// Written from docs/openapi by `npm run ui:types`.\n';
const DOCUMENTS = readdirSync(join(root, 'docs/openapi')).flatMap((file) =>
  file.endsWith('.json') && file !== 'services.json' ? [file.slice(0, -5)] : [],
);

const folder = mkdtempSync(join(tmpdir(), 'triad-ui-types-'));
let isDifferent = false;
for (const name of DOCUMENTS) {
  const document = join(root, `docs/openapi/${name}.json`);
  const target = join(root, `ui/src/api/generated/${name}.ts`);
  const written = join(folder, `${name}.ts`);
  const { status, stderr } = spawnSync(
    process.execPath,
    [tool, document, '-o', written, '--root-types', '--alphabetize'],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`openapi-typescript failed on ${document}: ${stderr}`);
  const text = HEAD + readFileSync(written, 'utf8');
  if (!check) writeFileSync(target, text);
  else if (readFileSync(target, 'utf8') !== text) {
    isDifferent = true;
    console.error(`ui/src/api/generated/${name}.ts is not what docs/openapi/${name}.json says. Run npm run ui:types.`);
  }
}
rmSync(folder, { recursive: true });
process.exitCode = isDifferent ? 1 : 0;
