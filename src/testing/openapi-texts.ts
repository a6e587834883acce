import { SERVICES, type ServiceName } from '../identity/actor.ts';
import { sendRequest, startTestProgram } from './start-test-program.ts';

/** Paths of the OpenAPI documents of the listeners; `services` is that of the workers of analyzers. */
const DOCUMENTS: Readonly<Record<ServiceName | 'services' | 'web', string>> = {
  alerts: '/api/apispec_v1.json',
  analysis: '/help/api/openapi.json',
  enrichment: '/api/apispec_v1.json',
  services: '/help/api/openapi.json',
  web: '/session/openapi.json',
};

/** Switches on the modules that are off by default. */
export const EVERY_MODULE = {
  'analysis.datastore.archive.enabled': true,
  'analysis.ui.allow_replay': true,
  'core.clue.enabled': true,
};

/**
 * Returns the files of docs/openapi as they have to be.
 * They are the documents that the services serve with every module on, with the version left out.
 */
export async function openApiTexts(): Promise<Readonly<Record<string, string>>> {
  const program = await startTestProgram({ demo: 'none', settings: EVERY_MODULE });
  try {
    const texts: Record<string, string> = {};
    for (const service of [...SERVICES, 'services', 'web'] as const) {
      const { json } = await sendRequest(`${program.urls[service]}${DOCUMENTS[service]}`);
      // The file changes with the interface, not with every release.
      json.info.version = '';
      texts[`${service}.json`] = `${JSON.stringify(json, null, 2)}\n`;
    }
    const operations = program.operations.document();
    texts['operations.json'] =
      `${JSON.stringify({ ...operations, info: { ...operations.info, version: '' } }, null, 2)}\n`;
    return texts;
  } finally {
    await program.close();
  }
}
