import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the text of the table of ATT&CK for Enterprise, written by scripts/attack-table.mjs. */
export function enterpriseTable(): string {
  return readFileSync(join(import.meta.dirname, 'enterprise.tsv'), 'utf8');
}

/** Returns the text of the table of ATT&CK for Mobile. */
export function mobileTable(): string {
  return readFileSync(join(import.meta.dirname, 'mobile.tsv'), 'utf8');
}
