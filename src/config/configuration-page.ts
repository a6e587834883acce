import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type InputSchema, wordsOf } from '../input/input-reader.ts';
import { SPECIAL_VARIABLES } from './config.ts';
import { configSchema, WITHOUT_EFFECT_YET } from './config-schema.ts';
import { listSettings, type Setting } from './setting-list.ts';

const INTRODUCTION = `# Configuration

<!-- Made from src/config by \`node src/config/configuration-page.ts\`; a test compares. -->

Nothing has to be configured: every setting has a default. Where a setting is given more than once, this order decides:

1. environment variables,
2. the files of the configuration folder: \`mappings.yml\` (the key \`mapping\` alone), then \`config.yml\`,
3. the default.

A key that does not exist and a value that is not allowed stop the start; the message names the key, where it was set and what is
allowed. The same holds for variables that begin with \`SVC_\`.

**Files.** \`config.yml\` nests the keys of the table: \`datastore.ilm.enabled\` is

\`\`\`yaml
datastore:
  ilm:
    enabled: true
\`\`\`

\`classification.yml\` defines levels, required marks, groups and subgroups; without it the built-in Traffic Light Protocol is used and
not enforced. All processes of an installation need the same one: [operating.md](operating.md#changing-the-classification-definition).

**No effect yet.** Settings with this mark are read and checked; the part that obeys them comes with a later version.

**Variables.** Lists are separated by commas; lists of mappings and maps are JSON. An empty variable counts as not set.
`;

const CREDENTIALS = `
## Credentials of the datastore

Variables that begin with the name of a host (\`datastore.hosts[].name\`, in upper case, \`-\` as \`_\`) keep secrets out of files; with the usual
name \`elastic\` these are:

| variable | stands for |
|---|---|
| \`ELASTIC_HOST_APIKEY_ID\` | \`datastore.hosts[].apikey_id\` |
| \`ELASTIC_HOST_APIKEY_SECRET\` | \`datastore.hosts[].apikey_secret\` |
| \`ELASTIC_HOST_USERNAME\` | \`datastore.hosts[].username\` |
| \`ELASTIC_HOST_PASSWORD\` | \`datastore.hosts[].password\` |

## Credentials at identity providers

Likewise variables that begin with the name of a provider (a key of \`auth.oauth.providers\`, in upper case, everything but letters and
digits as \`_\`); for a provider \`keycloak\` these are:

| variable | stands for |
|---|---|
| \`KEYCLOAK_CLIENT_ID\` | \`auth.oauth.providers.keycloak.client_id\` |
| \`KEYCLOAK_CLIENT_SECRET\` | \`auth.oauth.providers.keycloak.client_secret\` |
| \`SA_KEYCLOAK_PASSWORD\` | \`auth.service_account.accounts[].password\` of the account at that provider |

## Shards and replicas

The variables of the public system count, too, below those of the table:

| variable | stands for |
|---|---|
| \`ELASTIC_DEFAULT_SHARDS\`, \`ELASTIC_DEFAULT_REPLICAS\` | \`datastore.shards\`, \`datastore.replicas\` |
| \`ELASTIC_HIT_SHARDS\`, \`ELASTIC_HIT_REPLICAS\`, for every collection | \`datastore.index_shapes.hit.shards\`, \`.replicas\` |
`;

const ENRICHMENT_KEYS = `
## Keys of the public enrichment service

What its \`config.yml\` says stands here under these keys; \`auth.allow_apikeys\` and everything below \`auth.oauth\` and \`auth.service_account\` have the same names.

| there | here |
|---|---|
| \`api.audit\` | \`ui.audit\` |
| \`api.discover_url\` | \`enrichment.discover_url\` |
| \`api.external_sources\`, \`api.obo_targets\` | \`enrichment.external_sources\`, \`enrichment.obo_targets\` |
| \`api.secret_key\`, \`api.session_duration\`, \`api.validate_session_*\` | not needed: a login under way is kept by the server |
| \`auth.apikeys\` | \`enrichment.api_keys\` |
| (nothing: it has no accounts, every token identifies its user) | \`auth.oauth.providers.<name>.auto_sync\` switched on |
| \`core.redis\` | \`coordination.type\`, \`coordination.url\` |
| \`logging.log_level\`, \`logging.log_as_json\` | the same |
| \`ui.cors_origins\` | \`enrichment.cors_origins\`, and \`auth.oauth.redirect_origins\` for pages that only begin logins |
| \`CLUE_DOCUMENTATION_PATH\`, \`BRANCH\`, \`COMMIT_HASH\` | \`enrichment.documentation_folder\`, \`system.branch\`, \`system.commit\` |
`;

/** Returns the text of docs/configuration.md. */
export function configurationPage(): string {
  const settings = listSettings(configSchema);
  const sections = Map.groupBy(settings, (setting) => sectionOf(setting.key));
  const tables = [...sections].map(([name, members]) => `\n## ${name}\n\n${table(members)}`);
  const special = Object.entries(SPECIAL_VARIABLES).map(([name, text]) => `| \`${name}\` | ${text} |\n`);
  return `${INTRODUCTION}${tables.join('')}
## Variables without a key

| variable | meaning |
|---|---|
${special.join('')}${CREDENTIALS}${ENRICHMENT_KEYS}`;
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

if (import.meta.main) {
  writeFileSync(join(import.meta.dirname, '../../docs/configuration.md'), configurationPage());
}
