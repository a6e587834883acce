import { startTestProgram } from './start-test-program.ts';

/** Files of docs/openapi as they have to be: the documents that the program serves, with the version left out. */
export async function openApiTexts(): Promise<Readonly<Record<string, string>>> {
  const program = await startTestProgram({ demo: 'none' });
  try {
    const { json } = await program.request('/api/apispec_v1.json');
    // The file changes with the interface, not with every release.
    json.info.version = '';
    return { 'alerts.json': `${JSON.stringify(json, null, 2)}\n` };
  } finally {
    await program.close();
  }
}
