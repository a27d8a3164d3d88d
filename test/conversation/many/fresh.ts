// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// More questions for the same tools, written after the ranking was made and not used to mend it.

/** Written first; what it showed went into the synonyms afterwards. */
export const first = `
Open my diary of last Tuesday and read it to me | obsidian__daily_note|obsidian__get_file_contents
Who is this meeting with at 2? | gcal__list_events|gcal__search_events
Swap the words foo and bar in config.yaml | filesystem__edit_file
Is there anything in my inbox that I have not read? | gmail__search_emails
Which files are in my pictures folder? | filesystem__list_directory
Undo what I staged | git__git_reset
What does the last commit change? | git__git_show|git__git_log
Go back to the main branch | git__git_checkout
Copy that repository into my own account | github__fork_repository
Say "looks good to me" below issue 77 | github__add_issue_comment
Ask for a review: make a PR from feature-x | github__create_pull_request
Message Kim's thread that I agree | slack__reply_to_thread
Let the marketing channel know about it tomorrow at nine | slack__schedule_message
Archive all the messages from the shop | gmail__modify_email
Say thanks to Olaf for his mail | gmail__reply_to_email|gmail__send_email
What is my next appointment? | gcal__list_events
Put the signed contract into my Google Drive | gdrive__upload_file
What is in column B of the budget sheet? | sheets__read_range
Save Ahmed's new phone number | contacts__create
Add what we decided to the meeting page in Notion | notion__append_block_children
What is in the current sprint? | jira__get_sprint
File a story in Jira about the export | jira__create_issue
What does our wiki say about onboarding? | confluence__search|confluence__get_page
What columns does the orders table have? | postgres__describe_table
How are the nodes of the cluster doing on memory? | kubernetes__nodes_top
Get rid of the stuck pod | kubernetes__pods_delete
What did the web container print? | docker__container_logs
Point shop.example.com at 10.1.2.3 | cloudflare__dns_record_create
How much money is in our Stripe account? | stripe__retrieve_balance
Is somebody at the door? Show me the camera | homeassistant__camera_snapshot
Movie time: dim everything | homeassistant__activate_scene|homeassistant__set_brightness
Continue the music on the kitchen speaker | spotify__transfer_playback|spotify__play
I love this track, keep it | spotify__save_track
Suggest something similar to Radiohead | spotify__recommendations
Keep that video for later | youtube__add_to_watch_later
I have seen that episode already | plex__mark_watched
Enter my name into the form and submit it | playwright__browser_fill_form|playwright__browser_type
Close that tab | playwright__browser_tabs
Show me pictures of red pandas | brave__image_search|photos__search
Cite the Knuth book in APA | zotero__get_bibliography
Which street is at 45.07, 7.68? | maps__reverse_geocode
Any storm warnings for the coast? | weather__get_alerts
Is the pollen bad today? | weather__air_quality
When it is 9 in Boston, how late is it in Rome? | clock__convert_time
Where is my parcel 1Z999? | parcels__track
We are out of eggs, note it for the shop | shopping__add_item
What can I cook with lentils? | recipes__search
Which program eats all my CPU? | shell__list_processes
Make one PDF of these three | pdf__merge
How did I sleep? | fitness__daily_summary
`;

/** Written after that; nothing was mended by it. */
export const second = `
Is the script executable, and who owns it? | filesystem__get_file_info
Show me everything below src as a tree | filesystem__directory_tree
Save this poem as poem.txt | filesystem__write_file
What have I changed since my last commit? | git__git_diff_unstaged|git__git_diff|git__git_status
Compare my branch with main | git__git_diff
Does anybody on GitHub have a parser for this format? | github__search_repositories|github__search_code
What is issue 12 about? | github__get_issue|sentry__get_issue_details
Did anyone mention the outage on Slack? | slack__search_messages|slack__get_channel_history
Which time zone does Priya work in? | slack__get_user_profile
What labels do I have in Gmail? | gmail__list_email_labels
From now on, mails from the school should go to the Family folder | gmail__create_filter
Read me the mail from the tax office | gmail__read_email|gmail__search_emails
When did I last see the dentist? | gcal__search_events|gcal__list_events
Which calendars do I have? | gcal__list_calendars
Start a new document called Trip plan | docs__create_document
Set cell B2 to 100 in the budget | sheets__update_cells
What is Bob's e-mail address? | contacts__search
Which Linear issues are assigned to me? | linear__list_my_issues
Why did the app crash? Show me the stack trace | sentry__get_issue_details
Show me the newest five orders from postgres | postgres__query
Which documents in the mongo collection have no owner? | mongodb__find|mongodb__aggregate
Why does the pod not start, what does Kubernetes say? | kubernetes__events_list|kubernetes__pods_log
Get me the latest redis image | docker__pull_image
What was the CPU load of the servers overnight? | grafana__query_prometheus|kubernetes__nodes_top
The website still shows the old logo, empty the cache | cloudflare__purge_cache
Bill Acme for the consulting | stripe__create_invoice
What did we say in yesterday's Zoom? | zoom__get_transcript
Turn everything off in the office | homeassistant__turn_off
Arm the alarm, we are leaving | homeassistant__arm_alarm
Stop the music | spotify__pause
Go back one song | spotify__previous_track
Make me a playlist for the gym | spotify__create_playlist
Who are the YouTubers I follow? | youtube__list_subscriptions
Put on the next episode of Dark in the living room | plex__play_media
Click on the accept button | playwright__browser_click
Save this page as a PDF | playwright__browser_pdf_save
How high is Monte Rosa? | maps__elevation|wikipedia__search|wikipedia__summary|brave__web_search
Which bus gets me to the museum by ten? | transit__plan_journey|transit__departures
Push the dentist task to Monday | todoist__update_task
What did I ask you to remind me of? | reminders__list
Which words do I have to learn today in Anki? | anki__due_cards
Firefox hangs, end it | shell__kill_process
How much RAM is free? | system__memory_usage
Copy this address so that I can paste it | system__clipboard_write
Is sshd running? | system__service_status
Install gimp | packages__install
Make this photo half as wide | images__resize
Draw a cat with a hat | images__generate
Write down what is said in interview.mp3 | audio__transcribe
How is Tesla doing on the stock market? | stocks__quote
`;

/** Other languages, written after that too. */
export const foreign = `
Leggi il file note.txt | filesystem__read_text_file
Ci sono nuove mail? | gmail__search_emails
Quando è il compleanno di Sara? | contacts__list_birthdays|contacts__search
Spegni tutte le luci | homeassistant__turn_off
Alza il volume | spotify__set_volume|system__set_volume
Svegliami alle sette | clock__set_alarm
Stampa questo documento | printer__print_file
Aggiungi il pane alla lista della spesa | shopping__add_item
Lies die Datei plan.txt | filesystem__read_text_file
Habe ich neue Mails? | gmail__search_emails
Mach die Rollläden zu | homeassistant__close_cover
Wie voll ist meine Festplatte? | system__disk_usage
Wann fährt der nächste Zug nach Köln? | transit__departures
Drucke den Vertrag | printer__print_file
Setz Brot auf die Einkaufsliste | shopping__add_item
Lee el archivo plan.txt | filesystem__read_text_file
¿Tengo correos nuevos? | gmail__search_emails
Baja las persianas | homeassistant__close_cover
¿Cuándo sale el próximo tren a Sevilla? | transit__departures
Imprime el contrato | printer__print_file
`;
