import type { Signal } from "./signal.ts";

/** Where teams keep things outside a repository; a closed list, since most languages do not mark a name otherwise. */
const SYSTEM =
  "(?:Grafana|Kibana|Datadog|Sentry|Prometheus|New ?Relic|PagerDuty|Opsgenie|Jira|Linear|Trello|Asana|Monday|YouTrack|Redmine|Notion|Confluence|SharePoint|Google (?:Drive|Docs|Sheets)|Slack|Discord|Mattermost|Figma|Miro|Zeplin|Airtable|Looker|Metabase|Mixpanel|PostHog|Vault|1Password|Bitwarden|GitLab|GitHub|Bitbucket|Zendesk|Intercom|Crowdin|Lokalise|Weblate|Feishu|飞书|钉钉|企业微信|语雀)";

/** "The dashboards are in Grafana": a verb of place and the name of a system, in other languages than English. */
export const WHEREABOUTS: readonly Signal[] = [
  `(?:liegen|liegt|stehen|steht|sind|findest du|finden sich|findet sich|laufen|landen|pflegen wir|verwalten wir|tracken wir) (?:\\S+ ){0,4}?(?:in|im|bei|auf) (?:\\S+ ){0,2}?${SYSTEM}`,
  `(?:sont|est|se trouvent?|on (?:suit|gère|note)|vivent) (?:\\S+ ){0,4}?(?:dans|sur) (?:\\S+ ){0,2}?${SYSTEM}`,
  `(?:están|está|se encuentran?|viven|llevamos|registramos|ficam?|estão|vivem|registramos) (?:\\S+ ){0,4}?(?:en|no|na|em) (?:\\S+ ){0,2}?${SYSTEM}`,
  `(?:лежат|лежит|находятся|находится|живут|хранятся|ведём|ведем) (?:\\S+ ){0,4}?(?:в|на) (?:\\S+ ){0,2}?${SYSTEM}`,
  `在[^，。]{0,10}${SYSTEM}[^，。]{0,8}(?:里|上|中)|(?:放|记录|维护|跟踪)在[^，。]{0,6}${SYSTEM}`,
  `${SYSTEM}[^。]{0,16}(?:にあり|に入って|に置いて|にまとめ|で管理|に集約)`,
  `${SYSTEM}[^.]{0,16}(?:에 있|에서 관리|에 올려|에 정리|에 모아)`,
].map((pattern): Signal => ({
  kind: "system",
  strength: "firm",
  pattern: new RegExp(pattern, "iu"),
  unless: /[?？]\s*$|吗/u,
}));
