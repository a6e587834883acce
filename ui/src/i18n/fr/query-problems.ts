import type { QueryProblemId } from '../../../../src/datastore/regular-language/query-problems.ts';

export const queryProblems: Record<QueryProblemId, string> = {
  open_phrase:
    'Une phrase entre guillemets n’est jamais fermée. Écrivez \\" pour un guillemet dans une phrase, ou pour en chercher un.',
  open_regexp:
    'Une barre oblique ouvre une expression régulière qui n’est jamais fermée. Écrivez \\/ ou utilisez des guillemets pour chercher une barre oblique.',
  final_backslash:
    'La requête se termine par une barre oblique inverse. Écrivez \\\\ pour chercher une barre oblique inverse.',
  nothing_open: 'Rien d’ouvert que {{character}} puisse fermer. Écrivez \\{{character}} pour chercher ce caractère.',
  bad_boost:
    'Une pondération est un nombre placé juste après le ^, par exemple ^2 ou ^0.5. Écrivez \\^ pour chercher un ^.',
  bad_unicode_escape: 'Après \\u, il faut quatre chiffres hexadécimaux, par exemple \\u00e9.',
  backslash_ends_value:
    'Une valeur se termine par une barre oblique inverse. Écrivez \\\\ pour chercher une barre oblique inverse.',
  bad_escape:
    'Un échappement produit un caractère NUL ou la moitié d’une paire de substitution, qu’aucune valeur ne contient.',
  unexpected:
    '{{token}} n’est pas attendu dans la requête. Mettez-le entre guillemets ou précédez-le d’une barre oblique inverse pour le chercher.',
  unexpected_end: 'La requête se termine là où il faut une valeur ou une parenthèse fermante.',
  range_syntax: '{{problem}} Un intervalle s’écrit [début TO fin], avec TO en majuscules.',
  bad_fuzzy:
    'Le degré d’approximation {{amount}} n’est pas ~, ~0, ~1, ~2 ou ~AUTO. Écrivez \\~ pour chercher un tilde.',
  nul: 'La requête contient un caractère NUL.',
  half_pair: 'La requête contient la moitié d’une paire de substitution, qui n’est pas un caractère.',

  too_complex: 'La requête est trop complexe : {{reason}}.',
  many_expanded: 'elle représente plus de {{most}} clauses, mots et champs compris',
  deep: 'elle imbrique des parenthèses sur plus de {{most}} niveaux',
  many_clauses: 'elle a plus de {{most}} clauses',
  long: 'elle compte {{length}} caractères, et {{most}} au plus sont permis',
  many_conditions:
    'elle a {{found}} conditions, et {{most}} au plus sont permises (mots et motifs compris ; les valeurs d’un mot-clé ou d’un nombre réunies par OR comptent pour une)',
  many_patterns:
    'elle a {{found}} motifs, et {{most}} au plus sont permis (expressions régulières, termes approximatifs, phrases avec distance, caractères génériques autres que a*, *a et *a*)',
  long_sloppy_phrase: 'une phrase avec distance a plus de {{most}} mots',
  long_fuzzy: 'un terme approximatif a plus de {{most}} caractères',
  many_steps:
    'ses expressions régulières et caractères génériques demandent plus de {{most}} étapes de compilation. Réduisez les répétitions',
  other: '{{text}}',

  not_searchable: 'Le champ {{field}} est conservé, mais ne peut pas être cherché.',
  no_patterns:
    'Le champ {{field}} n’accepte ni caractères génériques, ni préfixes, ni expressions régulières : il faut un champ de mots-clés ou de texte.',
  no_fuzzy: 'Le champ {{field}} n’accepte pas les termes approximatifs : il faut un champ de mots-clés ou de texte.',
  negative_distance: 'Une phrase est demandée dans le champ {{field}} avec la distance négative {{distance}}.',
  distant_phrase:
    'Le champ {{field}} contient des valeurs entières, et une phrase y accepte une distance d’au plus {{most}}, pas {{distance}}.',
  field_regexp: 'L’expression régulière demandée dans le champ {{field}} est mal formée : {{reason}}.',
  not_a_number: 'Le champ {{field}} contient des nombres, et {{given}} n’en est pas un.',
  number_outside: 'Le champ {{field}} contient des nombres de {{min}} à {{max}}, et {{given}} est en dehors.',
  not_boolean: 'Le champ {{field}} contient true ou false, et {{given}} n’est ni l’un ni l’autre.',
  not_a_date:
    'Le champ {{field}} contient des dates, et {{given}} n’en est pas une, comme 2026-01-15, 2026-01-15T10:11:12Z, now-7d ou des millisecondes.',
  bad_date_math:
    'Le champ {{field}} contient des dates, et le calcul de date de {{given}} est illisible : écrivez des pas comme +1M, -7d ou /d, avec y M w d h m s.',
  not_an_address: 'Le champ {{field}} contient des adresses, et {{given}} n’en est pas une.',
  not_a_network: 'Le champ {{field}} contient des adresses, et {{given}} n’est pas un réseau comme 10.0.0.0/8.',
  wrong_kind: 'Le champ {{field}} n’accepte pas ce genre de requête.',

  malformed_regexp: 'Une expression régulière est mal formée : {{reason}}.',
  regexp_long: 'elle a plus de {{most}} caractères',
  regexp_goes_on: 'elle devrait se terminer avant son {{character}} en position {{place}}',
  regexp_no_count: 'un nombre de répétitions manque en position {{place}}',
  regexp_counts: 'elle demande au moins {{min}} et au plus {{max}} répétitions',
  regexp_number: 'le nombre {{digits}} est trop grand',
  regexp_backwards: 'un intervalle de caractères va à rebours avant la position {{place}}',
  regexp_class: 'elle contient \\{{letter}}, et seuls \\d \\s \\w \\D \\S \\W sont des classes de caractères',
  regexp_missing: 'il manque {{character}} en position {{place}}',
  regexp_ends: 'elle se termine trop tôt',
  regexp_interval: '<{{text}}> n’est pas un intervalle comme <1-100>',
};
