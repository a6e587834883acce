import { LRUCache } from 'lru-cache';
import { Type } from 'typebox';
import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Settings } from '../../config/config-schema.ts';
import type { Service } from '../../documents/kinds/analysis/service.ts';
import { TAG_TYPES } from '../../documents/kinds/analysis/tagging.ts';
import { FILE_KINDS } from '../../documents/kinds/file-kinds.ts';
import { valuesAt } from '../../documents/schema/plain-objects.ts';
import type { RouteModule } from '../../http/route-access.ts';
import type { Actor } from '../../identity/actor.ts';
import { flag } from '../../input/input-kinds.ts';
import { PreparedJson } from '../../json/sorted-json.ts';
import { comparesType, takesType } from '../dispatching/progress/schedule.ts';
import { ANYONE, Anything, NullableText, operation } from '../operations/analysis-operation.ts';

const OriginalQuery = Type.Object({
  original: flag({ description: 'As it is written, not as it is read.', empty: true }),
});

export interface HelpRouteDependencies {
  readonly classification: ClassificationEngine;
  readonly settings: Settings;
  readonly services: { enabled(): Promise<readonly Service[]> };
}

/** Serves `/api/v4/help`: what a client has to know of the installation. */
export const helpRoutes =
  ({ classification, settings, services }: HelpRouteDependencies): RouteModule =>
  (app) => {
    const definition = classification.parsedDefinition();
    const visibleServices = async ({ classification: clearance }: Pick<Actor, 'classification'>) => {
      const enabled = await services.enabled();
      return enabled.filter((one) => classification.isAccessible(clearance, one.classification, true));
    };
    // These answers never change while the program runs.
    const parsed = new PreparedJson(definition);
    const original = new PreparedJson(definition.original_definition);

    app.get(
      '/api/v4/help/classification_definition/',
      {
        access: { ...ANYONE, xsrf: false },
        schema: operation('help_get_classification_definition', 'The classifications of this installation', {
          querystring: OriginalQuery,
          reply: Anything,
        }),
      },
      async ({ query }) => (query.original ? original : parsed),
    );

    const configuration = operation(
      'help_get_system_configuration',
      'Limits and choices of this installation, by dotted key',
      { reply: Anything },
    );
    const constants = operation('help_get_systems_constants', 'Priorities, kinds of files and types of tags', {
      reply: Anything,
    });
    app.get(
      '/api/v4/help/configuration/',
      { access: { ...ANYONE, readOnly: false }, schema: configuration },
      async ({ actor }) => systemConfiguration(settings, await visibleServices(actor)),
    );
    const constantsOf = rememberedConstants();
    app.get(
      '/api/v4/help/constants/',
      { access: { ...ANYONE, readOnly: false }, schema: constants },
      async ({ actor }) => constantsOf(await visibleServices(actor)),
    );

    app.get(
      '/api/v4/help/tos/',
      {
        access: { ...ANYONE, xsrf: false, beforeTerms: true },
        schema: operation('help_get_terms_of_service', 'The terms of service in Markdown, or null', {
          reply: NullableText,
        }),
      },
      async () => settings.analysis.ui.tos,
    );
  };

/** Settings for submitters by dotted key, as they are. */
const SHOWN_SETTINGS = `
  core.ingester.default_max_extracted core.ingester.default_max_supplementary services.preferred_update_channel
  submission.default_max_extracted submission.default_max_supplementary submission.dtl submission.max_dtl
  submission.max_extraction_depth submission.max_file_size submission.max_metadata_length
  submission.tag_types.attribution submission.tag_types.behavior submission.tag_types.ioc submission.verdicts.info
  submission.verdicts.suspicious submission.verdicts.highly_suspicious submission.verdicts.malicious
  ui.allow_raw_downloads ui.allow_zip_downloads ui.default_zip_password ui.download_encoding ui.ingest_max_priority`;

/** Returns the configuration for submitters, by dotted key (contract/analysis.md section 6). */
function systemConfiguration(
  { analysis, ui }: Pick<Settings, 'analysis' | 'ui'>,
  visible: readonly Pick<Service, 'name' | 'category' | 'stage'>[],
): object {
  const { services } = analysis;
  return {
    ...valuesAt(analysis, SHOWN_SETTINGS),
    ...valuesAt({ ui }, 'ui.audit ui.enforce_quota'),
    // Analyzers start on demand: none runs idle.
    'core.scaler.service_defaults.min_instances': 0,
    'services.categories': services.categories.map((name) => [name, namesWhere(visible, 'category', name)]),
    'services.stages': services.stages.map((name) => [name, namesWhere(visible, 'stage', name)]),
  };
}

function namesWhere(
  services: readonly Pick<Service, 'name' | 'category' | 'stage'>[],
  key: 'category' | 'stage',
  value: string,
): readonly string[] {
  return services.filter((service) => service[key] === value).map(({ name }) => name);
}

/** The highest priority of each level; 0 drops a submission (contract/analysis.md section 3.6). */
const HIGHEST_PRIORITIES = [
  ['low', 100],
  ['medium', 200],
  ['high', 300],
  ['critical', 400],
  ['user-low', 500],
  ['user-medium', 1000],
  ['user-high', 1500],
] as const;

/** Answers that are kept, one for each set of services that some callers see. */
const MAX_ANSWERS = 20;
/** Types that services take by default. */
const EVERY_TYPE = { accepts: '.*', rejects: 'empty|metadata/.*' };

type TypedService = Pick<Service, 'name' | 'accepts' | 'rejects'>;

/** Returns constants as JSON, kept because comparing all kinds of files takes milliseconds. */
function rememberedConstants(): (services: readonly TypedService[]) => PreparedJson {
  const known = new LRUCache<string, PreparedJson>({ max: MAX_ANSWERS });
  return (services) => {
    const key = JSON.stringify(services.map(({ name, accepts, rejects }) => [name, accepts, rejects]));
    let answer = known.get(key);
    if (answer === undefined) {
      answer = new PreparedJson(systemConstants(services));
      known.set(key, answer);
    }
    return answer;
  };
}

/** Returns constants: priorities, kinds of files with their analyzers, types of tags. */
function systemConstants(services: readonly TypedService[]): object {
  const isGeneral = ({ accepts, rejects }: TypedService) =>
    accepts === EVERY_TYPE.accepts && rejects === EVERY_TYPE.rejects;
  const special = services.filter((one) => !isGeneral(one));
  const takers = (kind: string) => special.filter((one) => takesType(one, kind, comparesType)).map(({ name }) => name);
  const priorities: Record<string, readonly [lowest: number, highest: number]> = {};
  let below = 0;
  for (const [level, highest] of HIGHEST_PRIORITIES) {
    priorities[level] = [below + 1, highest];
    below = highest;
  }
  return {
    max_priority: below,
    priorities,
    // The second member lists the analyzers of the kind; `*` those that take every kind unless they say otherwise.
    file_types: [
      ['*', services.filter(isGeneral).map(({ name }) => name)],
      ...FILE_KINDS.map((kind) => [kind, takers(kind).sort()]),
    ],
    // `file.rule` has a type for each kind of rule below it.
    tag_types: [...TAG_TYPES, 'file.rule'].sort(),
  };
}
