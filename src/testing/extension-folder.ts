import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

interface TestContext {
  after(end: () => void): void;
}

/** For tests: writes extensions, each as content by file, into a temporary folder, and returns that. */
export function extensionFolder(
  context: TestContext,
  extensions: Readonly<Record<string, Readonly<Record<string, string>>>>,
): string {
  const folder = mkdtempSync(join(tmpdir(), 'triad-extensions-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, files] of Object.entries(extensions)) {
    const all = { 'package.json': '{"type":"module"}', ...files };
    for (const [file, content] of Object.entries(all)) {
      const path = join(folder, name, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
    }
  }
  return folder;
}
