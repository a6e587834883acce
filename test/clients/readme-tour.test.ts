import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { spawnProgram } from '../../src/testing/spawn-program.ts';
import { pythonWith, runPython } from './python-clients.ts';

const README = readFileSync(join(import.meta.dirname, '..', '..', 'README.md'), 'utf8');

/** Checks at the end of the tour. */
const LOOK = `
assert sorted(file["type"] for file in report["file_infos"].values()) == ["archive/zip", "text/plain"], report["file_infos"]
assert {result["response"]["service_name"] for result in report["results"].values()} >= {"Characterize", "Extract"}
assert client.search.submission("metadata.tour:yes")["total"] == 1
assert "letter.txt" in client.file.strings(sha256)["content"]
assert client.file.download(sha256, encoding="raw") == archive.getvalue()
print("seen")
`;

describe('the tour of the analysis service in the README', async () => {
  const environment = await pythonWith(join(import.meta.dirname, 'requirements.txt'), 'clients');
  if ('reason' in environment) {
    it('shows what it says: not run', { skip: environment.reason });
    return;
  }
  it('shows what it says', async () => {
    const [, section = ''] = README.split('## Five minutes with assemblyline_client');
    const code = /```python\n(.*?)```/s.exec(section)?.[1];
    assert.ok(code?.includes('client.submit('), 'the README has no tour');
    const program = await spawnProgram({ flags: ['--demo=users'] });
    try {
      const { analysis = '' } = program.addresses;
      const tour = (code ?? '').replace('http://127.0.0.1:5001', analysis);
      assert.deepEqual(await runPython(environment.python, ['-c', tour + LOOK]), ['seen']);
    } finally {
      await program.stop();
    }
  });
});
