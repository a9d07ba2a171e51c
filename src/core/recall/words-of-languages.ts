/** What French, Spanish and German developers say for English words. Form: developer-vocabulary.ts. */
export const WORDS_OF_LANGUAGES = `
# Each line: English, French, Spanish, German
release sortie lanzamiento veroffentlichen veroffentlichung
ship livrer livre livraison entregar ausliefern
launch lancement lanzar starten
start demarrer demarre iniciar arrancar starten
stop arreter arrete detener stoppen anhalten
build compiler compilar bauen
install installer instalar installieren
config configurer configuration configurar konfigurieren konfiguration einstellung einstellungen
setting parametre reglage ajuste einstellung
search chercher cherche recherche buscar busqueda suchen suche
find trouver trouve encontrar finden
read lire lis leer lesen
explain expliquer explique explicar explica erklaren erklar
summary resumer resumen zusammenfassung zusammenfassen
answer reponse repondre respuesta responder antwort antworten
question demande pregunta frage
review relire relecture revue revisar revision uberprufen
merge fusionner fusion fusionar zusammenfuhren
commit valider committer confirmar einchecken
push pousser pousse empujar subir hochladen
upload televerser subir hochladen
download telecharger descargar herunterladen
send envoyer envoie enviar senden schicken
mail courriel correo nachricht
message mensaje nachricht
translate traduire traduction traducir traduccion ubersetzen ubersetzung
text texto
image imagen bild
button bouton boton schaltflache knopf
color couleur farbe
screen ecran pantalla bildschirm
window fenetre ventana fenster
table tableau tabla tabelle
column colonne columna spalte
row ligne fila zeile
query requete consulta abfrage
backup sauvegarde sauvegarder copia sicherung
migration migrer migracion migrieren
customer client kunde kunden
account compte cuenta konto
invoice facture factura facturacion rechnung rechnungen
payment paiement payer pago pagar zahlung bezahlen
order commande pedido bestellung
price prix precio preis
cost cout costo kosten
money argent dinero geld
contract contrat contrato vertrag
meeting reunion besprechung treffen
tomorrow demain manana morgen
today aujourd hoy heute
week semaine semana woche
month mois monat
holiday vacances conge vacaciones urlaub feiertag
team equipe equipo mannschaft
rule regle regla regel
plan planifier planificar planen
task tache tarea aufgabe
solution solucion losung
help aide aider ayuda ayudar hilfe helfen
improve ameliorer ameliore mejorar verbessern
refactor refactoriser refondre refactorizar umbauen
rename renommer renombrar umbenennen
move deplacer deplace mover verschieben
copy copier copie copiar kopieren
replace remplacer remplace reemplazar sustituir ersetzen
compare comparer comparar vergleichen
sort trier ordenar sortieren
count compter contar zahlen
save enregistrer guardar speichern
open ouvrir ouvre abrir offnen
close fermer ferme cerrar schliessen
connect connecter connexion conectar conexion verbinden verbindung
login identifiant anmelden anmeldung
secret geheimnis geheim
security securite seguridad sicherheit
permission droit permiso berechtigung rechte
network reseau red netzwerk
library bibliotheque libreria biblioteca bibliothek
package paquet paket
environment environnement entorno umgebung
variable variablen
value valeur valor wert
class clase klasse
loop boucle bucle schleife
comment commentaire comentario kommentar
documentation dokumentation documentacion
example exemple ejemplo beispiel
report rapport informe bericht
chart graphique grafico diagramm
data donnees datos daten
log journal journaux registro protokoll
warning avertissement advertencia warnung
version ausgabe fassung
print imprimer imprimir drucken druck
key cle clave schlussel
view vue vista ansicht
form formulaire formulario formular
menu navigation navigationsleiste
device appareil dispositivo gerat
sensor capteur fuhler
light lumiere luz licht lampe
heating chauffage calefaccion heizung
article articulo aufsatz
chapter chapitre capitulo kapitel
thesis tesis dissertation doktorarbeit
student etudiant estudiante schuler
fast rapide rapidamente rapido schnell
short court corto breve kurz
new nouveau nouvelle nuevo nueva neu neue
old ancien viejo antiguo
broken casse roto kaputt defekt
wrong faux incorrecto falsch
missing manquant manque falta fehlt fehlend
test essais pruebas
`;
