import type { saved as english } from '../en/saved.ts';
import type { TranslationOf } from '../messages.ts';

export const saved: TranslationOf<typeof english> = {
  back: 'Retour à la liste',
  done: '« {{name}} » a été enregistré.',
  deleteTitle: 'Supprimer « {{name}} » ?',
  editOf: 'Modifier « {{name}} »',
  favourite: 'Favori : {{name}}',
  notYours:
    'Seuls son propriétaire, les personnes qu’il a désignées et les administrateurs peuvent modifier cet élément.',
  notDeletable: 'Seuls son propriétaire et les administrateurs suppriment ceci.',
  conflict:
    'Une autre modification a eu lieu avant, ou le même élément existe déjà. Votre saisie est conservée : enregistrez à nouveau pour l’appliquer.',
  noMatch: 'Rien ne contient ces mots.',
  missing: 'Cet élément n’existe pas, ou vous ne pouvez pas le voir.',
  detectionHint: 'Aucune : toutes.',
  type: 'Pour',
  types: { personal: 'Propriétaire et personnes désignées', global: 'Tous', readonly: 'Intégrée' },
  owner: 'Propriétaire',
  query: 'Requête',
  analytic: 'Analytique',
  detection: 'Détection',
  preview: {
    title: 'Aperçu',
    alert: 'Sur l’alerte',
    noQuery: 'Saisissez une requête pour voir les alertes qu’elle trouve.',
    noAnalytic: 'Choisissez une analytique pour voir le résultat sur une de ses alertes.',
    none: 'Aucune alerte ne correspond.',
    found_one: 'alerte. La plus récente :',
    found_other: 'alertes. Les plus récentes :',
  },
  permissions: {
    title: 'Autorisations',
    user: 'Utilisateur',
    privilege: 'Privilège',
    owner: 'Propriétaire',
    admins: 'Peut modifier',
    members: 'Peut utiliser',
    give: 'Donner',
    take: 'Retirer le privilège de {{user}}',
  },
};
