import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { it } from 'node:test';

const UI = join(import.meta.dirname, '..', 'ui');

/**
 * Files with a function that the compiler of React leaves as it is, and why.
 * What such a function draws is drawn again whenever the component around it is: keep this to what is rare, or small.
 */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'design/data/table/data-table.tsx': 'passes the ref of its scroller on; its rows are memoized by themselves',
  'design/data/table/use-virtual-rows.ts': 'the virtualizer changes in place',
  'design/overlays/late-surface.tsx': 'counts openings in a ref while it is drawn',
  'features/actions/run-section.tsx': 'try without catch',
  'features/alerts/alert/alert-pane.tsx': 'hands a function to the list by a ref',
  'features/alerts/list/export/use-export.ts': 'finally',
  'features/alerts/list/results/use-expired-rows.ts': '??=',
  'features/alerts/list/use-list-selection.ts': 'conditions within try',
  'features/alerts/triage/dialogs/file-dialog.tsx': 'conditions within try',
  'features/query/sources/use-query-sources.ts': 'keeps its sources in a ref',
  'features/settings/key-editor.tsx': 'computed names in a pattern',
  'features/settings/profile.tsx': 'conditions within try',
  'features/settings/proof-form.tsx': 'conditions within try',
  'shell/sign-in/expired-session.tsx': '??=',
  'shell/sign-in/second-factor-form.tsx': 'finally',
  'shell/sign-in/sign-in-form.tsx': 'finally',
};

interface CompilerEvent {
  readonly kind: string;
}

// With version 8 of @babel/core the compiler left out each function with a default in a pattern, without a word.
it('the compiler of React compiles every component and hook but those that are named here', () => {
  const require = createRequire(join(UI, 'package.json'));
  const babel = require('@babel/core') as { transformSync(code: string, options: object): unknown };
  const compiler = require.resolve('babel-plugin-react-compiler');
  const leftOut = new Set<string>();
  let compiled = 0;
  for (const file of globSync('**/*.{ts,tsx}', { cwd: join(UI, 'src') })) {
    if (/\.test\.|generated/.test(file)) continue;
    const logEvent = (_file: string, { kind }: CompilerEvent) => {
      if (kind === 'CompileSuccess') compiled += 1;
      else leftOut.add(file);
    };
    const plugins = file.endsWith('x') ? ['typescript', 'jsx'] : ['typescript'];
    babel.transformSync(readFileSync(join(UI, 'src', file), 'utf8'), {
      filename: file,
      babelrc: false,
      configFile: false,
      parserOpts: { plugins },
      plugins: [[compiler, { logger: { logEvent } }]],
    });
  }
  assert.ok(compiled > 500, `${compiled} functions were compiled`);
  assert.deepEqual([...leftOut].sort(), Object.keys(LEFT_OUT).sort());
});
