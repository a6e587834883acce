import type { apiReference as english } from '../en/api-reference.ts';
import type { TranslationOf } from '../messages.ts';

export const apiReference: TranslationOf<typeof english> = {
  title: 'Référence de l’API',
  description: 'Toutes les routes auxquelles ce programme répond, telles qu’il les décrit lui-même.',
  services: { alerts: 'Alertes', analysis: 'Analyse', enrichment: 'Enrichissement', web: 'Session web' },
  search: 'Chercher une méthode, un chemin ou des mots',
  found_one: '{{count}} route',
  found_other: '{{count}} routes',
  none: 'Aucune route ne contient tous ces mots',
  deprecated: 'obsolète',
  access: 'Accès',
  public: 'Sans connexion.',
  privileges: 'Les clés d’API ont besoin de l’un des privilèges {{names}}.',
  roles: 'Types de compte ou rôles : {{names}}.',
  anyRole: 'tous',
  audited: 'Chaque appel est noté dans le journal d’audit.',
  parameters: 'Paramètres',
  in: 'Dans',
  type: 'Type',
  needed: 'Obligatoire',
  meaning: 'Signification',
  body: 'Corps',
  member: 'Membre',
  whole: 'la valeur entière',
  answers: 'Réponses',
  cut: 'Seuls les {{count}} premiers membres sont affichés ; docs/openapi les contient tous.',
};
