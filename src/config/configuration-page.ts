import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type InputSchema, wordsOf } from '../input/input-reader.ts';
import { SPECIAL_VARIABLES } from './config.ts';
import { configSchema, WITHOUT_EFFECT_YET } from './config-schema.ts';
import { HOWLER_KEYS } from './howler-config.ts';
import { listSettings, type Setting } from './setting-list.ts';

const PAGE = join(import.meta.dirname, '../../docs/configuration.md');

/** Returns docs/configuration.md with the tables of settings and variables made again. */
export function configurationPage(page: string): string {
  const settings = listSettings(configSchema);
  const sections = Map.groupBy(settings, (setting) => sectionOf(setting.key));
  const tables = [...sections].map(([name, members]) => `## ${name}\n\n${table(members)}\n`);
  const special = Object.entries(SPECIAL_VARIABLES).map(([name, text]) => `| \`${name}\` | ${text} |\n`);
  const made = `${tables.join('')}## Variables without a key\n\n| variable | meaning |\n|---|---|\n${special.join('')}\n${howlerKeys(settings)}`;
  return page.replace(/^## Listeners\n.*?(?=^## Credentials of the datastore$)/ms, () => made);
}

/** Returns the table of the keys of Howler that are not settings. */
function howlerKeys(settings: readonly Setting[]): string {
  const rows = Object.entries(HOWLER_KEYS)
    .filter(([howler]) => !settings.some(({ key }) => key === howler || key.startsWith(`${howler}.`)))
    .map(([howler, reason]) => `| \`${howler}\` | ${reason} |\n`);
  return `## Keys of Howler without a meaning here\n\n| key of Howler | reason |\n|---|---|\n${rows.join('')}\n`;
}

const LISTENER = /^(host|(web|alerts|analysis|enrichment)\.port)$/;

function sectionOf(key: string): string {
  const [first = key] = key.split('.');
  if (LISTENER.test(key)) return 'Listeners';
  return key.includes('.') ? first : 'General';
}

function table(settings: readonly Setting[]): string {
  const rows = settings.map(({ key, variable, schema }) => {
    const name = variable === undefined ? '' : `\`${variable}\``;
    const mark = isWithoutEffect(key) ? ' *No effect yet.*' : '';
    const meaning = `${escapePipes(schema.description ?? '')}${mark}`;
    const cells = [`\`${key}\``, name, escapePipes(wordsOf(schema)), defaultText(schema), meaning];
    return `| ${cells.join(' | ')} |\n`;
  });
  return `| key | variable | allowed | default | meaning |\n|---|---|---|---|---|\n${rows.join('')}`;
}

function isWithoutEffect(key: string): boolean {
  return WITHOUT_EFFECT_YET.some((one) => key === one || key.startsWith(`${one}.`) || key.startsWith(`${one}[`));
}

function defaultText(schema: InputSchema): string {
  if (schema.default === undefined) return 'must be given';
  if (schema.default === null) return '';
  const text = typeof schema.default === 'string' ? schema.default : JSON.stringify(schema.default);
  return `\`${escapePipes(text)}\``;
}

function escapePipes(text: string): string {
  return text.replaceAll('|', '\\|');
}

if (import.meta.main) writeFileSync(PAGE, configurationPage(readFileSync(PAGE, 'utf8')));
