import { Type } from 'typebox';
import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Settings } from '../../config/config-schema.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { flag } from '../../input/input-kinds.ts';
import { PreparedJson } from '../../json/sorted-json.ts';
import { ANYONE, Anything, NullableText, operation } from '../analysis-operation.ts';
import { systemConfiguration, systemConstants } from './system-description.ts';

const OriginalQuery = Type.Object({
  original: flag({ description: 'As it is written, not as it is read.', empty: true }),
});

/** Serves `/api/v4/help`: what a client has to know of the installation. */
export const helpRoutes =
  ({ classification, settings }: { classification: ClassificationEngine; settings: Settings }): RouteModule =>
  (app) => {
    const definition = classification.parsedDefinition();
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
    for (const [path, schema, answer] of [
      ['configuration', configuration, new PreparedJson(systemConfiguration(settings))],
      ['constants', constants, new PreparedJson(systemConstants())],
    ] as const) {
      app.get(`/api/v4/help/${path}/`, { access: { ...ANYONE, readOnly: false }, schema }, async () => answer);
    }

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
