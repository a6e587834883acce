import { Type } from 'typebox';
import { choice, integer, onOff, section, sections, text } from './setting-kinds.ts';

const UNITS = ['seconds', 'minutes', 'hours', 'days', 'weeks'] as const;

const crontab = (description: string) =>
  text({
    description,
    default: '0 0 * * *',
    pattern: '^\\s*(\\S+\\s+){4}\\S+\\s*$',
    allowed: 'five fields of a crontab: minute hour day month weekday',
  });

export const systemSettings = section({
  type: choice(['production', 'staging', 'development'], {
    description: 'What this installation is for; clients show it.',
    default: 'development',
  }),
  branch: text({
    description:
      'Branch that the program was built from; clients show it (the variable `BRANCH` of the public systems).',
    default: '',
  }),
  commit: text({
    description: 'Commit that it was built from (the variable `COMMIT_HASH` of the public systems).',
    default: '',
  }),
  retention: section({
    enabled: onOff({
      description: 'Reported to clients. Retention does not run yet: no alert is deleted.',
      default: true,
    }),
    limit_unit: choice(UNITS, { description: 'Unit of the limit. Reported to clients.', default: 'days' }),
    limit_amount: integer({
      description: 'Age of the oldest alert to keep. Reported to clients.',
      default: 350,
      minimum: 1,
    }),
    crontab: crontab('When retention runs.'),
    rules: sections(
      section({
        name: Type.String({ description: 'Names the rule in the log.' }),
        enabled: onOff({ description: 'Whether the rule applies.', default: true }),
        query: Type.String({ description: 'Alerts that the rule is about.' }),
        limit_unit: choice(UNITS, { description: 'Unit of the limit.', default: 'days' }),
        limit_amount: integer({ description: 'Age of the oldest such alert that is kept.', minimum: 1 }),
      }),
      { description: 'Alerts with limits of their own.', default: [] },
    ),
  }),
  view_cleanup: section({
    enabled: onOff({ description: 'Removes entries of dashboards whose view is gone.', default: true }),
    crontab: crontab('When that runs.'),
  }),
});
