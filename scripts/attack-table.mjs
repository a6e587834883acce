// Writes src/alerts/configs/attack.tsv, the default tactics and techniques, from a STIX file of MITRE ATT&CK:
// node scripts/attack-table.mjs enterprise-attack.json
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attackTable } from '../src/alerts/configs/attack-table.ts';
import { readArguments } from './script-arguments.ts';

const HELP = `node scripts/attack-table.mjs FILE

Writes src/alerts/configs/attack.tsv from FILE, the enterprise-attack.json of
https://github.com/mitre-attack/attack-stix-data.`;

const [file] = readArguments(HELP, {}, true).positionals;
if (file === undefined) {
  console.error('Name the STIX file. See --help.');
  process.exit(2);
}
const table = join(import.meta.dirname, '..', 'src', 'alerts', 'configs', 'attack.tsv');
writeFileSync(table, attackTable(JSON.parse(readFileSync(file, 'utf8'))));
