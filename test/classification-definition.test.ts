import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { DEMO_CLASSIFICATION } from '../src/classification/builtin-definitions.ts';
import { outsideServer } from '../src/testing/servers/outside-servers.ts';
import { spawnProgram } from '../src/testing/spawn-program.ts';
import { sendRequest } from '../src/testing/start-test-program.ts';

const MAIN = join(import.meta.dirname, '..', 'src', 'start.mjs');
/** Makes RESTRICTED the lowest level, which every user may see. */
const CHANGED = DEMO_CLASSIFICATION.replace('lvl: 200', 'lvl: 50');
const COMMENTED = `# A comment\n${DEMO_CLASSIFICATION.replace('No restrictions applied to data.', 'Other words.')}`;
const ADMIN = 'admin:devkey:admin';

const opensearch = outsideServer('opensearch');
const PLACES = {
  'a data folder': { skip: false, more: () => ({}) },
  'a search engine': {
    skip: opensearch.unavailable ?? false,
    more: () => ({
      SVC_DATASTORE_TYPE: 'opensearch',
      SVC_DATASTORE_HOSTS: opensearch.url,
      SVC_DATASTORE_INDEX_PREFIX: `definition-${randomBytes(4).toString('hex')}`,
      SVC_DATASTORE_TRANSPORT_TIMEOUT: '60',
    }),
  },
} as const;

for (const [what, { skip, more }] of Object.entries(PLACES)) {
  describe(`the classification definition of ${what}`, { skip }, () => {
    it('is the same for every process, and is changed by a command', async (context) => {
      const home = await mkdtemp(join(tmpdir(), 'triad-definition-'));
      const environment: Record<string, string> = { ...more(), SVC_DATA_FOLDER: join(home, 'data') };
      context.after(async () => {
        const prefix = environment.SVC_DATASTORE_INDEX_PREFIX;
        if (prefix !== undefined) await fetch(`${opensearch.url}/${prefix}-*`, { method: 'DELETE' });
        await rm(home, { recursive: true });
      });
      for (const [name, definition] of Object.entries({
        first: DEMO_CLASSIFICATION,
        commented: COMMENTED,
        changed: CHANGED,
      })) {
        await mkdir(join(home, name));
        await writeFile(join(home, name, 'classification.yml'), definition);
      }
      await mkdir(join(home, 'empty'));
      let starts = 0;
      const start = (folder: string, flags: readonly string[] = []) => {
        starts += 1;
        // On a search engine, coordination is all that is in it, and processes run side by side.
        const dataFolder = join(home, environment.SVC_DATASTORE_TYPE === undefined ? 'data' : `data${starts}`);
        const more = { SVC_DATA_FOLDER: dataFolder, SVC_CONF_FOLDER: join(home, folder) };
        return spawnProgram({ flags, dataFolder, environment: { ...environment, ...more } });
      };
      const command = async (folder: string, words: readonly string[]) => {
        const child = spawn(process.execPath, [MAIN, ...words], {
          env: { ...process.env, ...environment, NODE_TEST_CONTEXT: undefined, SVC_CONF_FOLDER: join(home, folder) },
        });
        const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
        const [printed, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
        return { status: await ended, printed, errors };
      };
      const searchOf = async (url: string, user: string) => {
        const json = { query: 'howler.analytic:definition' };
        const answer = await sendRequest(`${url}/api/v1/search/hit`, { method: 'POST', basic: user, json });
        return answer.json.api_response.total as number;
      };

      const demo = await start('first', ['--demo=users']);
      const user = { name: 'Low', new_pass: 'a long enough password', classification: 'UNRESTRICTED' };
      const low = `low:${user.new_pass}`;
      const created = await sendRequest(`${demo.alerts}/api/v1/user/low`, { method: 'POST', basic: ADMIN, json: user });
      assert.equal(created.status, 200, created.text);
      await demo.stop();

      const first = await start('first');
      const alert = { classification: 'RESTRICTED', howler: { analytic: 'definition' } };
      const made = await sendRequest(`${first.alerts}/api/v1/hit/?refresh=true`, {
        method: 'POST',
        basic: ADMIN,
        json: [alert],
      });
      assert.equal(made.status, 201, made.text);
      assert.deepEqual([await searchOf(first.alerts, ADMIN), await searchOf(first.alerts, low)], [1, 0]);
      if (environment.SVC_DATASTORE_TYPE !== undefined) {
        await assert.rejects(start('changed'), /status 1 .*classification\.yml\) is not the one .* differs in levels/s);
        const same = await start('commented');
        assert.equal(await same.stop(), 0);
      }
      assert.equal(await first.stop(), 0);

      await assert.rejects(start('changed'), /differs in levels\..* run: triad classification change/s);
      const list = await command('changed', ['user', 'list']);
      assert.deepEqual([list.status, list.printed], [1, '']);
      assert.match(list.errors, /triad classification change/);
      const nothing = await command('commented', ['classification', 'change']);
      assert.deepEqual([nothing.status, nothing.errors], [0, ''], nothing.errors);
      assert.match(nothing.printed, /nothing to change/);
      const changed = await command('changed', ['classification', 'change']);
      assert.deepEqual([changed.status, changed.errors], [0, '']);
      assert.match(changed.printed, /changed in levels\. 1 alerts, events and cases have new access/);

      await assert.rejects(start('first'), /differs in levels/);
      await assert.rejects(start('empty'), /the built-in one\) is not the one/);
      const second = await start('changed');
      assert.equal(await searchOf(second.alerts, low), 1, 'the alert is below the user now');
      const health = await sendRequest(`${second.alerts}/healthz/`);
      assert.equal(health.json.checks.classification.ok, true);
      await second.stop();
    });
  });
}
