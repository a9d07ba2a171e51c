import { WORDS_OF_DATA } from "./words-of-data.ts";
import { WORDS_OF_INTERFACES } from "./words-of-interfaces.ts";
import { WORDS_OF_LANGUAGES } from "./words-of-languages.ts";
import { WORDS_OF_MACHINES } from "./words-of-machines.ts";
import { WORDS_OF_PEOPLE } from "./words-of-people.ts";

/** What stands in nearly every project. */
const WORDS_OF_EVERY_PROJECT = `
# Work with code
test tests testing spec mock stub fixture assert assertion coverage pytest jest vitest junit
test check verify verification validate validation
fixture sample example testdata
bug error crash exception failure fail failing broken defect traceback panic
fix repair correct solve resolve patch hotfix
debug diagnose investigate troubleshoot inspect examine
add create new introduce insert
create make generate build produce write
remove delete drop erase purge
clean cleanup tidy prune purge
change modify edit alter adjust update tweak
refactor restructure reorganise reorganize extract simplify rewrite
rename name naming convention prefix suffix
move relocate rename path
copy duplicate clone
convert transform translate migrate port
compare diff comparison versus difference
function method routine procedure
class struct object type
constructor init initialize
argument parameter param kwarg flag option
variable field attribute property
constant literal hardcoded magic
type typing typescript annotation interface schema
lint linter format formatter style eslint prettier
comment docstring documentation
document documentation docs readme guide manual
workaround hack shortcut temporary stopgap
todo placeholder stub unfinished incomplete
deprecated obsolete legacy outdated old stale
compatibility compatible backward legacy shim
generated generator codegen template
# Shipping
deploy deployment release ship rollout publish launch
production prod live
staging preview environment
ci cd pipeline workflow actions jenkins runner
build compile bundle
commit branch merge rebase push pr git
push publish upload
pr review merge reviewer approve
approve approval permission confirm consent ask
dependency dep package library module install upgrade bump npm pip cargo lockfile
version release tag changelog semver
revert rollback undo restore
# Data
database db sql postgres postgresql pg mysql sqlite table
migration migrate schema alter column
query sql select index
cache caching stale invalidate ttl redis
data dataset record row
backup snapshot dump restore
file path directory folder dir
storage disk volume space s3
json yaml toml config configuration setting option
serialize parse deserialize encode decode format
# Machines
kubernetes k8s cluster pod helm
container docker image compose
server host machine vm vps instance remote
cloud aws gcp azure
memory ram heap oom leak
network http url endpoint request response port socket
api endpoint route rest graphql
domain dns hostname
certificate cert ssl tls https
queue job worker task background cron scheduler
start run launch boot execute spawn
stop kill shutdown terminate abort cancel
restart reboot reload reset
wait sleep delay timeout hang stuck block
script command cli shell terminal bash
# Security
auth authentication login signin session token oauth sso
secret password credential key token
permission access role authorization forbidden denied
user account customer client
# Watching
log logging trace tracing stdout output
metric monitor monitoring alert dashboard observability oncall
slow performance perf speed fast latency optimize optimise benchmark profile
flaky intermittent nondeterministic race
# Interface
ui frontend component page screen layout view widget
css style stylesheet theme color colour
button click tap press
icon svg image picture logo
screenshot picture capture image
text string label caption title heading wording
show display render view preview visualize
width height size dimension
language locale translation i18n
# People and time
deadline date schedule due milestone freeze sprint
plan design proposal architecture
rule convention guideline policy standard
explain explanation answer reply
team people colleague
meeting call sync standup
missing absent lacking none null undefined empty
wrong incorrect invalid bad
same identical equal duplicate
number count amount total
# The same in French, Spanish and German
deploy deployer deploiement desplegar despliegue bereitstellen
production prod produccion produktion
add ajouter ajoute anadir agregar hinzufugen
fix corriger corrige reparer corregir arreglar beheben
remove supprimer supprime enlever eliminar borrar loschen entfernen
change changer modifier modifie cambiar andern
create creer cree crear erstellen
update mettre mise actualizar aktualisieren
clean nettoyer nettoie limpiar aufraumen
test tester teste essai probar prueba
error erreur faute fehler fallo
bug plante planter absturz
file fichier archivo datei
folder dossier carpeta ordner
server serveur servidor
database base datos datenbank
branch branche rama zweig
dependency dependance dependencia abhangigkeit
password mot contrasena passwort
user utilisateur usuario benutzer
language langue idioma sprache
function fonction funcion funktion
page onglet seite pestana
write ecrire ecris escribir schreiben
show afficher affiche montrer mostrar anzeigen
check verifier verifie verificar comprobar prufen
run lancer lance ejecutar ausfuhren
restart redemarrer reiniciar neustarten
slow lent lento langsam
version version
disk disque disco festplatte
memory memoire memoria speicher
project projet proyecto projekt
name nom nombre
date fecha datum
deadline echeance plazo frist
`;

/**
 * Words of developers that stand for one another: a note that says "deployment" helps somebody who asks to ship.
 * One group a line, each word of it related to each other; a word may stand in several. General talk about software,
 * without accents because terms have none. A user adds to it and takes from it in a file of their own (vocabulary.ts).
 */
export const DEVELOPER_VOCABULARY = WORDS_OF_EVERY_PROJECT + WORDS_OF_INTERFACES + WORDS_OF_MACHINES + WORDS_OF_DATA + WORDS_OF_PEOPLE + WORDS_OF_LANGUAGES;
