import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { AUDIT_EVENTS } from './audit-log.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const SECTION =
  /^## Security events\n(.*?)^## /ms.exec(readFileSync(join(ROOT, 'docs/operating.md'), 'utf8'))?.[1] ?? '';

/** Rows of a table under this heading: `| event | meaning |`. */
function rows(heading: string): string[][] {
  const table = new RegExp(`^\\| ${heading} \\|.*\\n\\|[-|]+\\n((?:\\|.*\\n)+)`, 'm').exec(SECTION)?.[1] ?? '';
  return [...table.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)].map(([, name = '', meaning = '']) => [name, meaning]);
}

describe('the security events of docs/operating.md', () => {
  it('are those of the program, with their meanings', () => {
    assert.deepEqual(rows('event'), Object.entries(AUDIT_EVENTS));
  });

  it('have exactly the fields of an event', () => {
    const source = readFileSync(join(import.meta.dirname, 'audit-log.ts'), 'utf8');
    const [event = ''] = /^export interface AuditEvent \{.*?^\}/ms.exec(source) ?? [];
    const fields = [...event.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name]) => name);
    assert.deepEqual(
      rows('field').map(([name]) => name),
      fields.filter((name) => name !== 'event'),
    );
  });
});
