import type { TestProgram } from '../../../src/testing/start-test-program.ts';
import { sendJson } from '../alert-data.ts';

const COMMENT = `Asked the user, who **did not** start it. See [the runbook](https://wiki.example/runbook) and:

1. the *parent process*
2. \`vssadmin.exe\`

> The backups of the night are complete.`;

/**
 * Returns the identifier of an alert of the demo with content for every tab.
 * It is in a case, and gets comments with a reaction, labels and changes by two people.
 */
export async function richAlert(program: TestProgram): Promise<string> {
  const query = '_exists_:howler.related AND howler.status:open AND howler.assignment:unassigned';
  const { items } = await sendJson(program, '/api/v1/search/hit', { query, rows: 1, sort: 'event.severity desc' });
  const id: string = items[0].howler.id;
  const path = `/api/v1/hit/${id}`;
  const by = (user: string) => ({ basic: `${user}:devkey:${user}` });
  await sendJson(program, `${path}/comments`, { value: COMMENT }, by('user'));
  const { howler } = await sendJson(program, `${path}/comments`, { value: 'Isolated the host, @user.' }, by('admin'));
  const reaction = `${path}/comments/${howler.comment[0].id}/react`;
  await sendJson(program, reaction, { type: 'thumbsup' }, { method: 'PUT', ...by('admin') });
  await sendJson(program, `${path}/labels/threat`, { value: ['ransomware'] }, { method: 'PUT', ...by('user') });
  await sendJson(program, `${path}/transition`, { transition: 'assign_to_me' }, by('user'));
  await sendJson(program, `${path}/transition`, { transition: 'promote' }, by('admin'));
  return id;
}
