import type { Messages } from '../messages.ts';
import { actions } from './actions.ts';
import { administration } from './administration.ts';
import { alert } from './alert.ts';
import { alerts } from './alerts.ts';
import { analytics } from './analytics.ts';
import { apiReference } from './api-reference.ts';
import { cases } from './cases.ts';
import { common } from './common.ts';
import { conflict } from './conflict.ts';
import { connection } from './connection.ts';
import { data } from './data.ts';
import { design } from './design.ts';
import { dossiers } from './dossiers.ts';
import { files } from './files.ts';
import { home } from './home.ts';
import { keys } from './keys.ts';
import { lookUp } from './look-up.ts';
import { overviews } from './overviews.ts';
import { query } from './query.ts';
import { queryProblems } from './query-problems.ts';
import { saved } from './saved.ts';
import { settings } from './settings.ts';
import { shell } from './shell.ts';
import { templates } from './templates.ts';
import { views } from './views.ts';

export const fr: Messages = {
  actions,
  administration,
  alert,
  alerts,
  analytics,
  apiReference,
  cases,
  common,
  conflict,
  connection,
  data,
  design,
  dossiers,
  files,
  home,
  keys,
  lookUp,
  overviews,
  query,
  queryProblems,
  saved,
  settings,
  shell,
  templates,
  views,
};
