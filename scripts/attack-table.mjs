// Writes the default tactics and techniques from STIX bundles of MITRE ATT&CK; see HELP.
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attackTable } from '../src/attack/attack-table.ts';
import { readArguments } from './script-arguments.ts';

const HELP = `node scripts/attack-table.mjs [--version VERSION] [--output FILE] BUNDLES

Writes src/attack/enterprise.tsv from BUNDLES: the file enterprise-attack.json of
https://github.com/mitre-attack/attack-stix-data, or the folder enterprise-attack of
https://github.com/mitre/cti, which has a bundle for each object and needs --version.
  --version VERSION  version of ATT&CK, such as 18.1
  --output FILE      writes FILE instead, such as src/attack/mobile.tsv from mobile-attack.json`;

const { values, positionals } = readArguments(HELP, { version: { type: 'string' }, output: { type: 'string' } }, true);
const [path] = positionals;
if (path === undefined) {
  console.error('Name the file or folder of STIX bundles. See --help.');
  process.exit(2);
}
try {
  const files = statSync(path).isDirectory()
    ? globSync('{attack-pattern,intrusion-set,malware,marking-definition,relationship,tool,x-mitre-tactic}/*.json', {
        cwd: path,
      }).map((name) => join(path, name))
    : [path];
  const bundles = files.map((file) => JSON.parse(readFileSync(file, 'utf8')));
  const output = values.output ?? join(import.meta.dirname, '..', 'src', 'attack', 'enterprise.tsv');
  writeFileSync(output, attackTable(bundles, values.version));
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
