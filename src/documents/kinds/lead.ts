import { group, json, keyword, text } from '../schema/field-builders.ts';

/** A name in both languages. */
export const localizedLabel = group('LocalizedLabel', 'Name in both languages.', {
  en: text('Name in English.'),
  fr: text('Name in French.'),
});

/** A tab beside an alert: prose, a link, or what a plugin shows. */
export const lead = group('Lead', 'Tab that is shown beside an alert.', {
  icon: text('Icon of the tab.').optionalNotEmpty().notIndexed(),
  label: localizedLabel,
  format: keyword('What the content is: `markdown`, `link`, or a plugin’s name.').notIndexed(),
  content: text('The content itself, a link, or what the plugin needs.').notIndexed(),
  metadata: json('Further settings, as JSON text; their meaning depends on the format.').optional().notIndexed(),
});
