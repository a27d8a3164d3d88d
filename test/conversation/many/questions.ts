// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What people ask, and the tools that are right for it: written before the ranking was made.

/** A question a line: what is said | the tools any of which is right. */
export const questions = `
What does the readme in my projects folder say? | filesystem__read_text_file
Which of my download folders takes up the most space? | filesystem__list_directory_with_sizes
Rename report.txt to report-final.txt please | filesystem__move_file
Where did I put that invoice pdf, it must be somewhere under Documents | filesystem__search_files
When was budget.xlsx last touched? | filesystem__get_file_info
Make a folder called taxes-2026 | filesystem__create_directory
Did I forget to commit anything in this repo? | git__git_status
Who wrote line 40 of parser.ts? | git__git_blame
What happened in the repo during the last week, show me the commits | git__git_log
Start a new branch for the login fix | git__git_create_branch
Commit this with the message "fix typo" | git__git_commit
Open a bug on GitHub for the broken installer | github__create_issue
Are there any open pull requests waiting? | github__list_pull_requests
Please merge PR 214 | github__merge_pull_request
Did the CI build pass on main? | github__list_workflow_runs
Tell the team in #general that lunch is at one | slack__post_message
What did people write in the design channel today? | slack__get_channel_history
Put a thumbs up on Maria's last message | slack__add_reaction
Set my slack status to on holiday | slack__set_status
Write to anna@example.com that I will be late | gmail__send_email|gmail__draft_email
Do I have new mail from the bank? | gmail__search_emails
Throw away that newsletter mail for good | gmail__delete_email
Prepare a mail to my landlord but do not send it yet | gmail__draft_email
Pass the mail from Tom on to my accountant | gmail__forward_email
Tell everybody who writes me that I am away until Monday | gmail__set_vacation_responder
Save the attachment of that mail | gmail__download_attachment
What is on my calendar tomorrow? | gcal__list_events
Book a dentist appointment on Friday at 10 | gcal__create_event
Move the meeting with Paul to 3 pm | gcal__update_event
When is Laura free next week? | gcal__get_freebusy
Cancel my yoga event on Thursday | gcal__delete_event
Accept the invitation for the board meeting | gcal__respond_to_event
Give Peter access to the slides on my drive | gdrive__share_file
Add a line to my expenses spreadsheet: coffee, 3.50 | sheets__append_row
What is Giulia's phone number? | contacts__search
Whose birthday is coming up? | contacts__list_birthdays
Find my notion page about the kitchen renovation | notion__search
What tickets in Jira are still open for me? | jira__search_issues
Log two hours on PROJ-12 | jira__add_worklog
Set PROJ-12 to done | jira__transition_issue
What new crashes did our app have since yesterday? | sentry__list_issues
Which tables are there in the postgres database? | postgres__list_tables
How many rows does the users table in sqlite have? | sqlite__read_query
What does redis hold under session:42? | redis__get
Which pods are crashing in the cluster? | kubernetes__pods_list|kubernetes__events_list
Show me the logs of the api pod | kubernetes__pods_log
Scale the web deployment up to five | kubernetes__resources_scale
Which containers are running on docker? | docker__list_containers
Restart the nginx container | docker__restart_container
Clean up old docker images, my disk is full | docker__prune
Are any alerts firing right now? | grafana__list_alert_rules
Give customer pi_123 their money back in Stripe | stripe__create_refund
Set up a zoom call with Ben at four | zoom__create_meeting
Switch on the light in the kitchen | homeassistant__turn_on
It is too bright in the living room, dim the lamp to 20 percent | homeassistant__set_brightness
Make it 21 degrees in the bedroom | homeassistant__set_temperature
Is the garage door open? | homeassistant__get_state|homeassistant__open_cover
Let the blinds down | homeassistant__close_cover
Lock the front door | homeassistant__lock
Have the robot hoover the hall | homeassistant__start_vacuum
How much power did we use last month? | homeassistant__energy_usage
Play something by Miles Davis | spotify__play|spotify__search
Skip this song | spotify__next_track
Which song is this? | spotify__currently_playing
Make the music a little quieter | spotify__set_volume|system__set_volume
Put this song on my running playlist | spotify__add_to_playlist
What is said in this YouTube video? https://youtu.be/abc | youtube__get_transcript
Are there any new films on Plex? | plex__recently_added
Open example.com in the browser | playwright__browser_navigate
Read https://example.org/article and sum it up | fetch__fetch
What are today's headlines? | brave__news_search
Find a good Thai restaurant around here | brave__local_search|maps__search_places
Who was Ada Lovelace? Look her up on Wikipedia | wikipedia__search|wikipedia__summary
Find recent papers about diffusion models | arxiv__search_papers
How do I get to the airport by bike? | maps__directions
How long is the drive to Milan with the traffic now? | maps__traffic|maps__directions|maps__distance_matrix
Will it rain tomorrow in Turin? | weather__get_forecast
How cold is it outside? | weather__get_current
When does the sun go down today? | weather__sun_times
When does the next train leave from Central Station? | transit__departures
Find me a cheap flight to Lisbon on the 12th | flights__search
Is LH455 on time? | flights__status
I need a room in Vienna for two nights | hotels__search
Put "call the plumber" on my to-do list for tomorrow | todoist__create_task
What do I still have to do today? | todoist__get_tasks
Tick off "buy milk" | todoist__complete_task
Remind me to take the pills at eight | reminders__create
Wake me at half past six | clock__set_alarm
Ten minutes for the pasta, please | clock__set_timer
What time is it in Tokyo? | clock__get_current_time
Search my Obsidian notes for the wifi password of the cabin | obsidian__simple_search
Write in my journal that today was great | obsidian__daily_note|obsidian__append_content
Run ls -la in my home | shell__execute_command|filesystem__list_directory
How full is my hard disk? | system__disk_usage
How long will the battery last? | system__battery_status
Take a picture of my screen | system__screenshot
Print the contract twice | printer__print_file
Connect my headphones | bluetooth__connect
Find the photos of Grandma at the beach | photos__search
What is 250 dollars in euros? | currency__convert
`;

/** The same in other languages. */
export const foreign = `
Che tempo fa domani a Torino? | weather__get_forecast
Accendi la luce in cucina | homeassistant__turn_on
Cosa ho in calendario domani? | gcal__list_events
Manda una mail a Marco per dire che arrivo tardi | gmail__send_email|gmail__draft_email
Metti un po' di musica jazz | spotify__play|spotify__search
Ricordami di comprare il latte alle sei | reminders__create|todoist__create_task
Che ore sono a New York? | clock__get_current_time
Quanto spazio libero ho sul disco? | system__disk_usage
Traduci questa frase in inglese | translate__translate_text
A che ora parte il prossimo treno per Milano? | transit__departures
Wie wird das Wetter morgen in Berlin? | weather__get_forecast
Schalte das Licht im Wohnzimmer aus | homeassistant__turn_off
Welche Termine habe ich am Freitag? | gcal__list_events
Schick eine E-Mail an Petra | gmail__send_email|gmail__draft_email
Spiel das nächste Lied | spotify__next_track|spotify__play
Erinnere mich um acht an die Tabletten | reminders__create
Wie viel Akku habe ich noch? | system__battery_status
Such einen Flug nach Lissabon | flights__search
Stell einen Wecker auf halb sieben | clock__set_alarm
Übersetze diesen Satz ins Englische | translate__translate_text
¿Qué tiempo hará mañana en Madrid? | weather__get_forecast
Enciende la luz de la cocina | homeassistant__turn_on
¿Qué citas tengo mañana? | gcal__list_events
Envía un correo a Juan | gmail__send_email|gmail__draft_email
Pon la siguiente canción | spotify__next_track|spotify__play
Recuérdame tomar las pastillas a las ocho | reminders__create
¿Qué hora es en Tokio? | clock__get_current_time
Busca un hotel en Sevilla | hotels__search
¿Cuánto espacio queda en el disco? | system__disk_usage
Traduce este texto al inglés | translate__translate_text
`;
