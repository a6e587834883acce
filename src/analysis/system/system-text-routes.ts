import { Type } from 'typebox';
import type { RouteModule } from '../../http/route-access.ts';
import { flag } from '../../input/input-kinds.ts';
import { operation, Success } from '../operations/analysis-operation.ts';
import { ADMINISTER } from './system-routes.ts';
import type { SystemValues } from './system-values.ts';

/** A document in YAML that administrators replace. */
export interface SystemText {
  /** Text of an installation that has none of its own. */
  readonly default: string;
  /** Throws InvalidInput or TooLarge when the text is not valid. */
  readonly check: (text: string) => void;
}

export interface SystemTextRouteDependencies {
  readonly values: SystemValues;
  readonly tagSafelist: SystemText;
  readonly actions: SystemText;
}

const DefaultQuery = Type.Object({
  default: flag({ description: 'The text that comes with the program.', empty: true }),
});

/** Serves the YAML texts of tag safelist and actions (contract/analysis.md section 6, system). */
export const systemTextRoutes =
  ({ values, tagSafelist, actions }: SystemTextRouteDependencies): RouteModule =>
  (app) => {
    app.get(
      '/api/v4/system/tag_safelist/',
      {
        access: ADMINISTER,
        schema: operation('system_get_tag_safelist', 'Get the tag safelist as YAML', {
          querystring: DefaultQuery,
          reply: Type.String(),
        }),
      },
      async ({ query }) => (query.default ? undefined : await values.get('tag_safelist')) ?? tagSafelist.default,
    );
    app.put(
      '/api/v4/system/tag_safelist/',
      {
        access: { ...ADMINISTER, readOnly: false },
        schema: operation('system_put_tag_safelist', 'Replace the tag safelist', {
          body: Type.Union([Type.String(), Type.Null()], {
            description: 'YAML with the sections match and regex, as a JSON string; null: the text of the program.',
            examples: ['match: {}\nregex: {}'],
          }),
          reply: Success,
          refusals: [413],
        }),
        refusal: null,
      },
      ({ body }) => replace('tag_safelist', tagSafelist, body),
    );

    app.get(
      '/api/v4/system/actions/',
      {
        access: ADMINISTER,
        schema: operation('system_get_actions', 'Get the actions after an analysis as YAML', {
          querystring: DefaultQuery,
          reply: Type.String(),
        }),
      },
      async ({ query }) => (query.default ? undefined : await values.get('actions')) ?? actions.default,
    );
    app.put(
      '/api/v4/system/actions/',
      {
        access: ADMINISTER,
        schema: operation('system_put_actions', 'Replace the actions after an analysis', {
          body: Type.Union([Type.String(), Type.Null()], {
            description: 'YAML of actions by name, as a JSON string; null: those of the program.',
            examples: ['default_alerts:\n  enabled: true\n  filter: "max_score: >=500"\n  raise_alert: true'],
          }),
          reply: Success,
          refusals: [413],
        }),
        refusal: { success: false },
      },
      ({ body }) => replace('actions', actions, body),
    );

    async function replace(name: 'tag_safelist' | 'actions', { check }: SystemText, text: string | null) {
      if (text === null) return values.remove(name);
      check(text);
      return values.set(name, text);
    }
  };
