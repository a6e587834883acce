// Writes docs/openapi/<service>.json from the routes of the program. Run it after a change of routes: npm run openapi
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiTexts } from '../src/testing/openapi-texts.ts';
import { readArguments } from './script-arguments.ts';

readArguments('npm run openapi\n\nWrites docs/openapi from the routes of the program. Takes no arguments.', {});

const folder = join(import.meta.dirname, '..', 'docs', 'openapi');
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(await openApiTexts())) writeFileSync(join(folder, name), text);
